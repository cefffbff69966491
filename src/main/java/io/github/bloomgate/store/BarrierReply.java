package io.github.bloomgate.store;

/**
 * The result of {@link SegmentStore#confirm}.
 *
 * @param number for CONFIRMED, the number of replicas; for REREAD, the index of the question about
 *     the segment to read again
 */
public record BarrierReply(Status status, int number) {

  public enum Status {
    /** Replicas have confirmed it. */
    CONFIRMED,
    /** The generation has another version or does not exist. */
    CHANGED,
    /** A segment no longer has the mark: the adds must be tried again. */
    REREAD,
    /** A segment holds another type. */
    WRONG_TYPE
  }
}
