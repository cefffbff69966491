package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.store.BitsReply.Answer;
import io.github.bloomgate.store.BitsReply.Refusal;
import java.util.List;
import java.util.stream.IntStream;

/** Reads the replies of {@code bits}, and the answers in those of {@code raw_bits}. */
final class BitsReplies {

  private BitsReplies() {}

  static List<BitsReply> of(ScriptReply reply, List<Bits> segments) {
    return IntStream.range(0, segments.size())
        .mapToObj(i -> of(reply.reply(i + 1), segments.get(i).add().isPresent()))
        .toList();
  }

  private static BitsReply of(ScriptReply reply, boolean isAdd) {
    return reply.status().equals("OK")
        ? new BitsReply.Answers(answers(reply, isAdd))
        : new BitsReply.Refused(reply.status(Refusal.class));
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
