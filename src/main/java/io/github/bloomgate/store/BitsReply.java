package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.segment.Verdict;
import java.util.List;

/** The result of testing or adding elements bit by bit, in one segment or in raw content. */
public sealed interface BitsReply {

  /**
   * An answer for each element, in order: KNOWN or ABSENT for a test, CHANGED, KNOWN or REFUSED for
   * an add.
   *
   * @param replicas the number of replicas that confirmed an add, if they had to
   */
  record Verdicts(List<Verdict> verdicts, int replicas) implements BitsReply {}

  /**
   * Nothing was done. A segment needs a copy, because its bitmap lacks some blocks, or an add needs
   * a fold or a new segment.
   */
  record NotDone() implements BitsReply {}

  /** Nothing was added, because the call has moved enough strings that grow: repeat it. */
  record Postponed() implements BitsReply {}

  /** The generation has another version or does not exist. Nothing was changed. */
  record Outdated() implements BitsReply {}

  /** The content or a library's key is invalid. Nothing was changed. */
  record Failed(BloomException failure) implements BitsReply {}

  /** Reads the reply to a test or an add. */
  static BitsReply of(ScriptReply reply, Bits bits, boolean isAdd) {
    return switch (reply.status()) {
      case "OK" ->
          new Verdicts(
              reply.text(1).chars().mapToObj(digit -> answer(reply, digit, isAdd)).toList(),
              reply.replicas());
      case "JOURNALED" -> new NotDone();
      case "LATER" -> new Postponed();
      case "CHANGED" -> new Outdated();
      case "DAMAGED" -> new Failed(bits.damaged());
      case "KEY" -> new Failed(AdoptedBitmap.refusal(reply, bits.generation().name()));
      default -> throw reply.unexpectedStatus();
    };
  }

  private static Verdict answer(ScriptReply reply, int digit, boolean isAdd) {
    return switch (digit) {
      case '0' -> isAdd ? Verdict.KNOWN : Verdict.ABSENT;
      case '1' -> isAdd ? Verdict.CHANGED : Verdict.KNOWN;
      case '2' -> Verdict.REFUSED;
      default -> throw reply.unexpectedStatus();
    };
  }
}
