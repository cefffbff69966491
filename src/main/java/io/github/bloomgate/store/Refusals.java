package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.redis.ScriptReply;
import java.util.List;

/** What a script's refusal to act means: the statuses that the guard of all scripts answers. */
final class Refusals {

  private static final int SOURCE_OF_FILTER = 5;

  private Refusals() {}

  /**
   * The exception for a reply that is not the one a script gives on success.
   *
   * @param keys state and bits of the segment the script was run on; or all of {@link
   *     Keys#ofFilter} if it was run on a filter
   */
  static RuntimeException of(ScriptReply reply, FilterName name, List<String> keys) {
    return switch (reply.status()) {
      case "GONE" -> new StaleFilterException(true);
      case "STALE" -> new StaleFilterException(false);
      case "JOURNALED" -> new JournaledException();
      case "FORMAT" -> FilterErrors.unknownFormat(name, reply.text(1));
      case "DAMAGED" -> damaged(name, key(reply, keys));
      case "WRONG_TYPE", "TARGET_WRONG_TYPE" -> FilterErrors.wrongKeyType(name, key(reply, keys));
      case "MISMATCH" -> FilterErrors.keyMismatch(name, key(reply, keys), problem(reply));
      case "NOT_READY" -> FilterErrors.notReady(name);
      case "IN_PROGRESS" -> RebuildErrors.inProgress(name);
      case "NO_REBUILD" -> RebuildErrors.notFound(name);
      default -> reply.unexpectedStatus();
    };
  }

  private static BloomException damaged(FilterName name, String key) {
    return key.startsWith(Keys.PREFIX)
        ? FilterErrors.damaged(name, key)
        : FilterErrors.adoptedKeyMissing(name, key);
  }

  private static String problem(ScriptReply reply) {
    return switch (reply.text(1)) {
      case "bits" -> "holds a string longer than the filter's bits";
      case "config" -> "has another size or hashIterations than the filter";
      case "counter" -> "is no plain number of elements";
      case "noConfig" -> "is missing beside the bitmap";
      case "noBits" -> "counts elements, but their bitmap is missing";
      default -> throw reply.unexpectedStatus();
    };
  }

  private static String key(ScriptReply reply, List<String> keys) {
    return switch (reply.text(1)) {
      case "state" -> keys.get(0);
      case "bits" -> keys.get(1);
      case "segments" -> keys.get(2);
      case "firstState" -> keys.get(2);
      case "nextState", "firstBits" -> keys.get(3);
      case "nextBits" -> keys.get(4);
      case "source" -> keys.get(keys.size() < SOURCE_OF_FILTER + 1 ? 1 : SOURCE_OF_FILTER);
      case "config", "counter", "noConfig", "noBits" -> keys.get(keys.size() - 1);
      default -> throw reply.unexpectedStatus();
    };
  }
}
