package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.store.BitsReply.Answer;
import io.github.bloomgate.store.BitsReply.Refusal;

/** Reads the replies of {@code bits}. */
final class BitsReplies {

  private BitsReplies() {}

  static BitsReply of(ScriptReply reply, int elements, boolean isAdded) {
    return switch (reply.status()) {
      case "OK" -> {
        var digits = reply.text(2);
        if (digits.length() != elements) {
          throw reply.unexpectedStatus();
        }
        yield new BitsReply.Answers(
            reply.number(1),
            digits.chars().mapToObj(digit -> answer(reply, digit, isAdded)).toList());
      }
      case "AGAIN" -> new BitsReply.Repeated(reply.bytes(1));
      case "JOURNALED" -> new BitsReply.Refused(Refusal.JOURNALED);
      case "LONG" -> new BitsReply.Refused(Refusal.LONG);
      case "EMPTY" -> new BitsReply.Refused(Refusal.EMPTY);
      case "GONE" -> new BitsReply.Refused(Refusal.GONE);
      case "CHANGED" -> new BitsReply.Refused(Refusal.CHANGED);
      case "UNKNOWN" -> new BitsReply.Refused(Refusal.UNKNOWN);
      case "DAMAGED" -> new BitsReply.Refused(Refusal.DAMAGED);
      default -> throw reply.unexpectedStatus();
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
