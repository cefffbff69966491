package io.github.bloomgate.store;

import java.util.Optional;

/** The result of a change of a filter. Only {@link Done} means that something was changed. */
public sealed interface ChangeReply {

  /**
   * The change was made.
   *
   * @param dropped content that the caller must drop now
   * @param now after clear, expire, rename and commit: the filter, without a next generation; after
   *     open: with it, or twice the next generation if there is no filter
   */
  record Done(Optional<Dropped> dropped, Optional<FindReply> now) implements ChangeReply {}

  record Refused(Refusal refusal) implements ChangeReply {}

  /** The segments that exist are not those that the caller named: try again with these. */
  record OtherSegments(Written written) implements ChangeReply {}

  /** Drop this content first. */
  record StillToDrop(Dropped dropped) implements ChangeReply {}

  enum Refusal {
    /** The generation has another version or does not exist: read the filter again. */
    CHANGED,
    /** The filter exists, perhaps as a deletion that was cut off, or has another version. */
    EXISTS,
    /** A rebuild is open. */
    OPEN,
    /** The rebuild is not open. */
    NO_REBUILD,
    /** A segment of the next generation is missing. */
    NEXT_DAMAGED,
    /** Another run has claimed the source. */
    RUN_LOST,
    /** The key of a new filter holds another type. */
    WRONG_TYPE,
    /** The key of the next generation holds another type. */
    NEXT_WRONG_TYPE
  }
}
