package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.store.ChangeReply.Done;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.util.List;
import java.util.Optional;

/** Reads the replies of the scripts that change filters. */
final class ChangeReplies {

  private ChangeReplies() {}

  /** Reads a reply whose OK names content to drop. */
  static ChangeReply ofDropping(ScriptReply reply) {
    return isOk(reply) ? new Done(Dropped.of(reply.bytes(1)), Optional.empty()) : of(reply);
  }

  /** Reads a reply whose OK has the filter after the change. */
  static ChangeReply ofFilter(ScriptReply reply, FilterName name) {
    if (!isOk(reply)) {
      return of(reply);
    }
    var now = FindReplies.of(reply, List.of(SlotKeys.state(name), SlotKeys.next(name)));
    var dropped =
        now instanceof FindReply.Found found ? found.state().dropped() : Optional.<Dropped>empty();
    return new Done(dropped, Optional.of(now));
  }

  private static boolean isOk(ScriptReply reply) {
    return reply.status().equals("OK");
  }

  /** Reads a reply whose OK stands alone. */
  static ChangeReply of(ScriptReply reply) {
    return switch (reply.status()) {
      case "OK" -> new Done(Optional.empty(), Optional.empty());
      case "WRITTEN", "RENEW" -> new ChangeReply.OtherSegments(new Written(reply.bytes(1)));
      case "DROPPING", "TARGET_DROPPING" ->
          new ChangeReply.StillToDrop(
              Dropped.of(reply.bytes(1)).orElseThrow(reply::unexpectedStatus));
      default -> new ChangeReply.Refused(reply.status(Refusal.class));
    };
  }
}
