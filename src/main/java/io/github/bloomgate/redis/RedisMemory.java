package io.github.bloomgate.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The memory that a Redis has left, as far as it tells in INFO.
 *
 * @param bytes how much more it takes; empty if it does not say, and for a node of a cluster, which
 *     knows of itself only
 */
public record RedisMemory(OptionalLong bytes) {

  /** Asks Redis. Fails as {@link RedisLink#send} does. */
  public static Uni<RedisMemory> read(RedisLink link) {
    return link.send(Request.cmd(Command.INFO), Effect.READ)
        .map(info -> of(info == null ? "" : info.toString()));
  }

  /** The memory in a reply to INFO. */
  static RedisMemory of(String info) {
    var values = RedisSettings.values(info);
    return new RedisMemory(
        "1".equals(values.get("cluster_enabled")) ? OptionalLong.empty() : left(values));
  }

  private static OptionalLong left(Map<String, String> values) {
    var used = number(values, "used_memory");
    var limit = number(values, "maxmemory");
    if (limit > 0) {
      var evicts = !values.getOrDefault("maxmemory_policy", "noeviction").equals("noeviction");
      // One that evicts drops other keys for what comes, as far as it has room for that at all.
      return OptionalLong.of(
          evicts ? limit : Math.max(0, limit - used + number(values, "mem_not_counted_for_evict")));
    }
    var ofMachine = number(values, "total_system_memory");
    return ofMachine > 0 ? OptionalLong.of(Math.max(0, ofMachine - used)) : OptionalLong.empty();
  }

  private static long number(Map<String, String> values, String name) {
    try {
      return Long.parseLong(values.getOrDefault(name, "0"));
    } catch (NumberFormatException malformed) {
      return 0;
    }
  }
}
