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
   */
  record Answers(List<Answer> answers) implements BitsReply {}

  /**
   * Nothing was done. A segment needs a copy, because its bitmap lacks some blocks, or an add needs
   * a fold or a new segment. Raw content had to grow first: repeat the call.
   */
  record NotDone() implements BitsReply {}

  /** The generation has another version or does not exist. Nothing was changed. */
  record Changed() implements BitsReply {}

  /** The content or a library's key is invalid. Nothing was changed. */
  record Failed(BloomException failure) implements BitsReply {}

  /**
   * The answers to the elements of a test or an add.
   *
   * @param reply of status OK
   */
  static Answers answers(ScriptReply reply, boolean isAdd) {
    return new Answers(
        reply.text(1).chars().mapToObj(digit -> answer(reply, digit, isAdd)).toList());
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
