package io.github.bloomgate.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * Settings of a Redis from INFO, which managed services support, unlike CONFIG.
 *
 * @param maxmemoryPolicy empty if not reported
 * @param appendOnly whether it writes an append-only file; true if not reported
 * @param product name and version
 */
public record RedisSettings(String maxmemoryPolicy, boolean appendOnly, String product) {

  /** Reads them. Fails as {@link RedisLink#send}. */
  public static Uni<RedisSettings> read(RedisLink link) {
    return link.send(Request.cmd(Command.INFO), Effect.READ)
        .map(info -> of(info == null ? "" : info.toString()));
  }

  static RedisSettings of(String info) {
    var values = values(info);
    return new RedisSettings(
        values.getOrDefault("maxmemory_policy", ""),
        !"0".equals(values.get("aof_enabled")),
        product(values));
  }

  /** Valkey also reports a compatible Redis version. */
  private static String product(Map<String, String> values) {
    return values.containsKey("valkey_version")
        ? "Valkey " + values.get("valkey_version")
        : "Redis " + values.getOrDefault("redis_version", "(version not known)");
  }

  /** The values of a reply to INFO by name. */
  static Map<String, String> values(String info) {
    BinaryOperator<String> first = (one, other) -> one;
    return info.lines()
        .map(String::strip)
        .filter(line -> line.indexOf(':') > 0)
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf(':')),
                line -> line.substring(line.indexOf(':') + 1),
                first));
  }
}
