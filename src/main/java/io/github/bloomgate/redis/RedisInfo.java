package io.github.bloomgate.redis;

import io.github.bloomgate.model.StoreMemory;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The reply of a Redis to INFO, which managed services support, unlike CONFIG.
 *
 * @param values by name
 */
public record RedisInfo(Map<String, String> values) {

  /** Reads it. Fails as {@link RedisLink#send}. */
  public static Uni<RedisInfo> read(RedisLink link) {
    return link.send(Request.cmd(Command.INFO), Effect.READ)
        .map(info -> of(info == null ? "" : info.toString()));
  }

  static RedisInfo of(String info) {
    return new RedisInfo(
        info.lines()
            .map(String::strip)
            .filter(line -> line.indexOf(':') > 0)
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.indexOf(':')),
                    line -> line.substring(line.indexOf(':') + 1),
                    (first, later) -> first)));
  }

  /** Empty if not reported. */
  public String maxmemoryPolicy() {
    return values.getOrDefault("maxmemory_policy", "");
  }

  /** Whether it writes an append-only file; true if not reported. */
  public boolean appendOnly() {
    return !"0".equals(values.get("aof_enabled"));
  }

  /** Name and version. Valkey also reports a compatible Redis version. */
  public String product() {
    return values.containsKey("valkey_version")
        ? "Valkey " + values.get("valkey_version")
        : "Redis " + values.getOrDefault("redis_version", "(version not known)");
  }

  /** The memory of this Redis; unknown for a node of a cluster, which reports only its own. */
  public StoreMemory memory() {
    if ("1".equals(values.get("cluster_enabled"))) {
      return StoreMemory.UNKNOWN;
    }
    var used = number("used_memory");
    return new StoreMemory(used > 0 ? OptionalLong.of(used) : OptionalLong.empty(), left(used));
  }

  private OptionalLong left(long used) {
    var limit = number("maxmemory");
    if (limit > 0) {
      // With eviction Redis drops other keys to make room.
      var evicts = !values.getOrDefault("maxmemory_policy", "noeviction").equals("noeviction");
      return OptionalLong.of(
          evicts ? limit : Math.max(0, limit - used + number("mem_not_counted_for_evict")));
    }
    var ofMachine = number("total_system_memory");
    return ofMachine > 0 ? OptionalLong.of(Math.max(0, ofMachine - used)) : OptionalLong.empty();
  }

  private long number(String name) {
    try {
      return Long.parseLong(values.getOrDefault(name, "0"));
    } catch (NumberFormatException malformed) {
      return 0;
    }
  }
}
