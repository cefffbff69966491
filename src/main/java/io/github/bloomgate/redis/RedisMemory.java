package io.github.bloomgate.redis;

import io.github.bloomgate.model.StoreMemory;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.Map;
import java.util.OptionalLong;

/** Reads the memory of a Redis from INFO. A node of a cluster reports only its own. */
public final class RedisMemory {

  private RedisMemory() {}

  /** Reads it, except from a cluster. Fails as {@link RedisLink#send}. */
  public static Uni<StoreMemory> read(RedisLink link) {
    return link.isCluster()
        ? Uni.createFrom().item(StoreMemory.UNKNOWN)
        : link.send(Request.cmd(Command.INFO), Effect.READ)
            .map(info -> of(info == null ? "" : info.toString()));
  }

  static StoreMemory of(String info) {
    var values = RedisSettings.values(info);
    if ("1".equals(values.get("cluster_enabled"))) {
      return StoreMemory.UNKNOWN;
    }
    var used = number(values, "used_memory");
    return new StoreMemory(used > 0 ? OptionalLong.of(used) : OptionalLong.empty(), left(values));
  }

  private static OptionalLong left(Map<String, String> values) {
    var used = number(values, "used_memory");
    var limit = number(values, "maxmemory");
    if (limit > 0) {
      var evicts = !values.getOrDefault("maxmemory_policy", "noeviction").equals("noeviction");
      // With eviction Redis drops other keys to make room.
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
