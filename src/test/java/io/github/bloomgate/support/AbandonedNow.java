package io.github.bloomgate.support;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Keys;
import java.util.List;

/** Ends the timeout of rebuilds and the reservations of names at once. */
public final class AbandonedNow implements AutoCloseable {

  private final TestRedis redis;
  private final TestInstance hasty;

  /**
   * @param redis the Redis with the abandoned rebuilds
   */
  public AbandonedNow(TestRedis redis) {
    this.redis = redis;
    this.hasty = new TestInstance(redis);
  }

  /** Makes the open rebuilds of these filters expire with their content. */
  public void expire(List<String> names) {
    for (var name : names) {
      var next = Keys.next(new FilterName(name));
      if (redis.command("EXISTS", next).toInteger() == 1) {
        var home = redis.command("HGET", next, "home");
        var incarnation = redis.command("HGET", next, "incarnation");
        hasty
            .keysWith("{%s}:%s".formatted(home, incarnation))
            .forEach(segment -> redis.command("PEXPIREAT", segment, "1"));
        redis.command("PEXPIREAT", next, "1");
      }
    }
  }

  /** Ends the reservations of names for filters that are being created. */
  public void endReservations() {
    for (var name : redis.command("HKEYS", Keys.usage())) {
      var entry = redis.command("HGET", Keys.usage(), name.toString()).toString();
      var parts = entry.split(" ", -1);
      // The other entries are totals.
      if (parts.length == 4) {
        parts[2] = "1";
        redis.command("HSET", Keys.usage(), name.toString(), String.join(" ", parts));
      }
    }
  }

  /** All keys without an expiry. */
  public List<String> keys() {
    return hasty.keysWith("");
  }

  @Override
  public void close() {
    hasty.close();
  }
}
