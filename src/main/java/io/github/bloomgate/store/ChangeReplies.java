package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.time.Instant;
import java.util.Optional;

/** Reads the replies of the scripts that change filters. */
final class ChangeReplies {

  private ChangeReplies() {}

  /** Reads a reply whose OK stands alone. */
  static ChangeReply of(ScriptReply reply) {
    return of(reply, Optional.empty(), Optional.empty());
  }

  /** Reads a reply whose OK names content to drop. */
  static ChangeReply ofDropping(ScriptReply reply) {
    return of(reply, isOk(reply) ? Dropped.of(reply.bytes(1)) : Optional.empty(), Optional.empty());
  }

  /** Reads a reply whose OK has the time at which a rebuild expires. */
  static ChangeReply ofEnding(ScriptReply reply) {
    return of(
        reply,
        Optional.empty(),
        isOk(reply) ? Optional.of(Instant.ofEpochMilli(reply.number(1))) : Optional.empty());
  }

  private static boolean isOk(ScriptReply reply) {
    return reply.status().equals("OK");
  }

  private static ChangeReply of(
      ScriptReply reply, Optional<Dropped> dropped, Optional<Instant> ends) {
    return switch (reply.status()) {
      case "OK" -> new ChangeReply.Done(dropped, ends);
      case "WRITTEN", "RENEW" -> new ChangeReply.OtherSegments(new Written(reply.bytes(1)));
      case "DROPPING", "TARGET_DROPPING" ->
          new ChangeReply.StillToDrop(
              Dropped.of(reply.bytes(1)).orElseThrow(reply::unexpectedStatus));
      case "OPEN" -> new ChangeReply.RebuildOpen(reply.text(1));
      case "GONE" -> new ChangeReply.Refused(Refusal.GONE);
      case "CHANGED" -> new ChangeReply.Refused(Refusal.CHANGED);
      case "EXISTS" -> new ChangeReply.Refused(Refusal.EXISTS);
      case "UNFINISHED" -> new ChangeReply.Refused(Refusal.UNFINISHED);
      case "NO_REBUILD" -> new ChangeReply.Refused(Refusal.NO_REBUILD);
      case "NEXT_CHANGED" -> new ChangeReply.Refused(Refusal.NEXT_CHANGED);
      case "NEXT_DAMAGED" -> new ChangeReply.Refused(Refusal.NEXT_DAMAGED);
      case "RUN_LOST" -> new ChangeReply.Refused(Refusal.RUN_LOST);
      case "WRONG_TYPE" -> new ChangeReply.Refused(Refusal.WRONG_TYPE);
      case "NEXT_WRONG_TYPE" -> new ChangeReply.Refused(Refusal.NEXT_WRONG_TYPE);
      case "TARGET_WRONG_TYPE" -> new ChangeReply.Refused(Refusal.TARGET_WRONG_TYPE);
      default -> throw reply.unexpectedStatus();
    };
  }
}
