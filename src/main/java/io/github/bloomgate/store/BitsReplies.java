package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.store.BitsReply.Answer;
import io.github.bloomgate.store.BitsReply.Refusal;
import java.util.List;
import java.util.stream.IntStream;

/** Reads the replies of {@code bits}. */
final class BitsReplies {

  private BitsReplies() {}

  static List<BitsReply> of(ScriptReply reply, List<Bits> segments) {
    return IntStream.range(0, segments.size())
        .mapToObj(i -> of(reply.reply(i + 2), reply.number(1), segments.get(i)))
        .toList();
  }

  private static BitsReply of(ScriptReply reply, long millis, Bits bits) {
    return switch (reply.status()) {
      case "OK" -> {
        var digits = reply.text(1);
        if (digits.length() != bits.elements()) {
          throw reply.unexpectedStatus();
        }
        yield new BitsReply.Answers(
            millis,
            digits
                .chars()
                .mapToObj(digit -> answer(reply, digit, bits.add().isPresent()))
                .toList());
      }
      case "AGAIN" -> new BitsReply.Repeated(reply.bytes(1));
      default -> new BitsReply.Refused(reply.status(Refusal.class));
    };
  }

  private static Answer answer(ScriptReply reply, int digit, boolean isAdded) {
    return switch (digit) {
      case '0' -> isAdded ? Answer.MAYBE : Answer.NO;
      case '1' -> isAdded ? Answer.NEW : Answer.MAYBE;
      case '2' -> Answer.REFUSED;
      default -> throw reply.unexpectedStatus();
    };
  }
}
