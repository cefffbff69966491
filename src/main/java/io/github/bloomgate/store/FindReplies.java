package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.ScriptReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the replies of {@code find}. */
final class FindReplies {

  private static final int FIRST_HEADER = 4;

  private FindReplies() {}

  static FindReply of(ScriptReply reply, List<String> keys) {
    return switch (reply.status()) {
      case "OK" -> found(reply, keys);
      case "GONE" -> new FindReply.Gone();
      case "UNFINISHED" -> new FindReply.Unfinished(FilterState.unfinished(reply.strings(1)));
      case "WRONG_TYPE" -> new FindReply.WrongType(keys.get((int) reply.number(1) - 1));
      default -> throw reply.unexpectedStatus();
    };
  }

  private static FindReply found(ScriptReply reply, List<String> keys) {
    if (reply.strings(2).isEmpty()) {
      // It expired while it was changed.
      return new FindReply.Gone();
    }
    var next = reply.strings(3);
    FilterState state;
    Optional<FilterState> nextState;
    try {
      state = FilterState.of(reply, reply.strings(2));
    } catch (IllegalArgumentException | BloomException malformed) {
      return new FindReply.Damaged(keys.get(0), FilterState.damaged(reply.strings(2)));
    }
    try {
      nextState = next.isEmpty() ? Optional.empty() : Optional.of(FilterState.ofNext(reply, next));
    } catch (IllegalArgumentException | BloomException malformed) {
      return new FindReply.Damaged(keys.get(1), FilterState.damaged(reply.strings(2)));
    }
    var headers = new ArrayList<FindReply.Header>();
    for (var i = FIRST_HEADER; i < reply.size(); i += 2) {
      headers.add(new FindReply.Header(reply.number(i), reply.bytes(i + 1)));
    }
    return new FindReply.Found(reply.number(1), state, nextState, headers);
  }
}
