package io.github.bloomgate.redis;

import io.quarkus.redis.client.RedisOptionsCustomizer;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Remembers the driver options Quarkus makes of all {@code quarkus.redis.*} settings, with
 * addresses that the driver reads as they are meant.
 *
 * <p>They are known once Quarkus has built its default Redis client, which is before the service
 * takes requests.
 */
@Singleton
class LinkOptions implements RedisOptionsCustomizer, Supplier<RedisOptions> {
  // Kept by reference, so that what later customizers change is seen too.
  private volatile RedisOptions options;

  @Override
  public void customize(String clientName, RedisOptions options) {
    if (RedisConfig.DEFAULT_CLIENT_NAME.equals(clientName)) {
      var addresses = options.getEndpoints().stream().map(LinkOptions::address).toList();
      write(addresses, options, Optional.empty());
      // Set apart, or that of the first address; the driver would not use it with a user.
      write(addresses, options, Optional.ofNullable(options.getPassword()));
      requireUsable(addresses, options.getType());
      this.options = options;
    }
  }

  private static RedisAddress address(String text) {
    try {
      return RedisAddress.parse(text);
    } catch (IllegalArgumentException unusable) {
      throw new RedisAddressException(unusable.getMessage());
    }
  }

  private static void write(
      List<RedisAddress> addresses, RedisOptions options, Optional<String> password) {
    options.setEndpoints(
        addresses.stream()
            .map(address -> address.forDriver(password))
            .collect(Collectors.toCollection(ArrayList::new)));
  }

  /** Nodes of a cluster are found by the link itself. */
  private static void requireUsable(List<RedisAddress> addresses, RedisClientType type) {
    var findsNodes = type == RedisClientType.SENTINEL || type == RedisClientType.REPLICATION;
    if (findsNodes && !addresses.stream().allMatch(RedisAddress::hasPlainUser)) {
      throw new RedisAddressException(
          "has a user that the client library cannot use with quarkus.redis.client-type=%s: there it must be of letters, digits and . _ ~ -"
              .formatted(type.name().toLowerCase(Locale.ROOT)));
    }
  }

  @Override
  public RedisOptions get() {
    if (options == null) {
      throw new IllegalStateException("Quarkus has not built the default Redis client yet");
    }
    return options;
  }
}
