package io.github.bloomgate.store;

/**
 * The result of {@link SegmentStore#confirm}.
 *
 * @param number if it is confirmed, how many replicas have it; if a segment must be read again,
 *     which of the questions asks for it, from 0 on
 */
public record BarrierReply(Status status, int number) {

  /** What replicas and Redis said. */
  public enum Status {
    /** Replicas have it. */
    CONFIRMED,
    /** The generation does not exist. */
    GONE,
    /** The generation has another version. */
    CHANGED,
    /** A segment no longer has the mark: the adds must be tried again. */
    REREAD,
    /** The state or a segment holds another type. */
    WRONG_TYPE
  }
}
