package io.github.bloomgate.store;

import java.util.List;

/** The result of {@link SegmentStore#bits} for one segment. */
public sealed interface BitsReply {

  /**
   * An answer for each element, in order: MAYBE or NO for a test, NEW, MAYBE or REFUSED for an add.
   */
  record Answers(List<Answer> answers) implements BitsReply {}

  enum Answer {
    /** Not all bits are set, and the element was tested. */
    NO,
    /** All bits are set. */
    MAYBE,
    /** Not all bits were set, and the element was added. */
    NEW,
    /** Not all bits were set, and the segment takes no more elements. */
    REFUSED
  }

  record Refused(Refusal refusal) implements BitsReply {}

  /** Why the segment cannot be used bit by bit. Nothing was changed. */
  enum Refusal {
    /** The bitmap lacks some blocks, or an add needs a fold or a new segment: use a copy. */
    JOURNALED,
    /** The generation has another version or does not exist. */
    CHANGED,
    DAMAGED
  }
}
