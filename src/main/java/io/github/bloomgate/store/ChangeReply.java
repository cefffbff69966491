package io.github.bloomgate.store;

import java.util.Optional;

/** The result of a change of a filter. Only {@link Done} means that something was changed. */
public sealed interface ChangeReply {

  /**
   * The same reply for a change of a next generation. If that is gone, it was committed or aborted,
   * but its filter still exists.
   */
  default ChangeReply ofNext() {
    return this;
  }

  /**
   * The change was made.
   *
   * @param dropped content that the caller must drop now
   * @param now after clear, expire, rename and commit: the filter, without a next generation; after
   *     open: with it, or twice the next generation if there is no filter
   */
  record Done(Optional<Dropped> dropped, Optional<FindReply> now) implements ChangeReply {}

  record Refused(Refusal refusal) implements ChangeReply {

    @Override
    public ChangeReply ofNext() {
      return switch (refusal) {
        case GONE -> new Refused(Refusal.NEXT_CHANGED);
        case WRONG_TYPE -> new Refused(Refusal.NEXT_WRONG_TYPE);
        default -> this;
      };
    }
  }

  /** The segments that exist are not those that the caller named: try again with these. */
  record OtherSegments(Written written) implements ChangeReply {}

  /** Drop this content first. */
  record StillToDrop(Dropped dropped) implements ChangeReply {}

  /** A rebuild is open. */
  record RebuildOpen(String incarnation) implements ChangeReply {}

  enum Refusal {
    /** The filter or generation does not exist. */
    GONE,
    /** It has another version: read the filter again. */
    CHANGED,
    /** The filter exists, or does not have the version to replace. */
    EXISTS,
    /** The deletion of an earlier filter was cut off by a crash: delete it again. */
    UNFINISHED,
    /** The rebuild is not open. */
    NO_REBUILD,
    /** The next generation has another version. */
    NEXT_CHANGED,
    /** A segment of the next generation is missing. */
    NEXT_DAMAGED,
    /** Another run has claimed the source. */
    RUN_LOST,
    /** The key of the filter holds another type. */
    WRONG_TYPE,
    /** The key of the next generation holds another type. */
    NEXT_WRONG_TYPE,
    /** The key of the new name holds another type. */
    TARGET_WRONG_TYPE
  }
}
