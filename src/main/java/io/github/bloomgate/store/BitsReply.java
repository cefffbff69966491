package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;
import java.util.List;
import java.util.stream.IntStream;

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

  /** Reads the reply of {@code bits}. */
  static List<BitsReply> of(ScriptReply reply, List<Bits> segments) {
    return IntStream.range(0, segments.size())
        .mapToObj(i -> of(reply.reply(i + 1), segments.get(i).add().isPresent()))
        .toList();
  }

  private static BitsReply of(ScriptReply reply, boolean isAdd) {
    return reply.status().equals("OK")
        ? new Answers(answers(reply, isAdd))
        : new Refused(reply.status(Refusal.class));
  }

  /**
   * The answers to the elements of a test or an add.
   *
   * @param reply of status OK
   */
  static List<Answer> answers(ScriptReply reply, boolean isAdd) {
    return reply
        .text(1)
        .chars()
        .mapToObj(
            digit ->
                switch (digit) {
                  case '0' -> isAdd ? Answer.MAYBE : Answer.NO;
                  case '1' -> isAdd ? Answer.NEW : Answer.MAYBE;
                  case '2' -> Answer.REFUSED;
                  default -> throw reply.unexpectedStatus();
                })
        .toList();
  }
}
