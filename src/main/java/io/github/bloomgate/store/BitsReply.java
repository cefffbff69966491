package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.segment.Answer;
import java.util.List;

/** The result of testing or adding elements bit by bit, in one segment or in raw content. */
public sealed interface BitsReply {

  /**
   * An answer for each element, in order: KNOWN or ABSENT for a test, CHANGED, KNOWN or REFUSED for
   * an add.
   *
   * @param replicas the number of replicas that confirmed an add, if they had to
   */
  record Answers(List<Answer> answers, int replicas) implements BitsReply {}

  /**
   * Nothing was done. A segment needs a copy, because its bitmap lacks some blocks, or an add needs
   * a fold or a new segment. Raw content had to grow first: repeat the call.
   */
  record NotDone() implements BitsReply {}

  /** The generation has another version or does not exist. Nothing was changed. */
  record Changed() implements BitsReply {}

  /** The content or a library's key is invalid. Nothing was changed. */
  record Failed(BloomException failure) implements BitsReply {}

  /** Reads the reply to a test or an add. */
  static BitsReply of(ScriptReply reply, Bits bits, boolean isAdd) {
    return switch (reply.status()) {
      case "OK" ->
          new Answers(
              reply.text(1).chars().mapToObj(digit -> answer(reply, digit, isAdd)).toList(),
              reply.replicas());
      case "JOURNALED", "GROWN" -> new NotDone();
      case "CHANGED" -> new Changed();
      case "DAMAGED" -> new Failed(bits.damaged());
      case "KEY" -> new Failed(AdoptedBitmap.refusal(reply, bits.generation().name()));
      default -> throw reply.unexpectedStatus();
    };
  }

  private static Answer answer(ScriptReply reply, int digit, boolean isAdd) {
    return switch (digit) {
      case '0' -> isAdd ? Answer.KNOWN : Answer.ABSENT;
      case '1' -> isAdd ? Answer.CHANGED : Answer.KNOWN;
      case '2' -> Answer.REFUSED;
      default -> throw reply.unexpectedStatus();
    };
  }
}
