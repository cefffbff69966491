package io.github.bloomgate.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * What a Redis says of itself in INFO, which managed Redis answers too, as it does not CONFIG.
 *
 * @param maxmemoryPolicy what becomes of keys when the memory is full; empty if it does not say
 * @param appendOnly whether it writes each change to a file; true if it does not say
 * @param product what it is, with its version
 */
public record RedisSettings(String maxmemoryPolicy, boolean appendOnly, String product) {

  /** Asks Redis. Fails as {@link RedisLink#send} does. */
  public static Uni<RedisSettings> read(RedisLink link) {
    return link.send(Request.cmd(Command.INFO), Effect.READ)
        .map(info -> of(info == null ? "" : info.toString()));
  }

  /** The settings in a reply to INFO. */
  static RedisSettings of(String info) {
    var values = values(info);
    return new RedisSettings(
        values.getOrDefault("maxmemory_policy", ""),
        !"0".equals(values.get("aof_enabled")),
        product(values));
  }

  /** Valkey says which Redis it is like as well. */
  private static String product(Map<String, String> values) {
    return values.containsKey("valkey_version")
        ? "Valkey " + values.get("valkey_version")
        : "Redis " + values.getOrDefault("redis_version", "(version not known)");
  }

  /** The values of a reply to INFO by their names. */
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
