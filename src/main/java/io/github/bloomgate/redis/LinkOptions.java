package io.github.bloomgate.redis;

import io.quarkus.redis.client.RedisOptionsCustomizer;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.RedisReplicas;
import io.vertx.redis.client.RedisRole;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Captures the driver options that Quarkus builds from all {@code quarkus.redis.*} settings, with
 * addresses in a form that the driver reads correctly.
 *
 * <p>They are available once Quarkus has built its default Redis client, before the service takes
 * requests.
 */
@Singleton
class LinkOptions implements RedisOptionsCustomizer, Supplier<RedisOptions> {
  // Kept by reference, so that changes by later customizers are seen too.
  private volatile RedisOptions options;

  @Override
  public void customize(String clientName, RedisOptions options) {
    if (RedisConfig.DEFAULT_CLIENT_NAME.equals(clientName)) {
      var addresses = options.getEndpoints().stream().map(RedisAddress::parse).toList();
      write(addresses, options, Optional.empty());
      // Set separately, or taken from the first address; the driver would not use it with a user.
      write(addresses, options, Optional.ofNullable(options.getPassword()));
      requirePrimary(options);
      verifyHostNames(options.getNetClientOptions());
      this.options = options;
    }
  }

  private static void write(
      List<RedisAddress> addresses, RedisOptions options, Optional<String> password) {
    options.setEndpoints(
        addresses.stream()
            .map(address -> address.forDriver(password))
            .collect(Collectors.toCollection(ArrayList::new)));
  }

  /**
   * Quarkus passes its {@code NONE} on to Java, which refuses it as unknown, and the driver refuses
   * to connect without a value.
   */
  private static void verifyHostNames(NetClientOptions connection) {
    var algorithm = connection.getHostnameVerificationAlgorithm();
    if (algorithm == null) {
      connection.setHostnameVerificationAlgorithm("HTTPS");
    } else if (algorithm.equalsIgnoreCase("NONE")) {
      connection.setHostnameVerificationAlgorithm("");
    }
  }

  private static void requirePrimary(RedisOptions options) {
    if (options.getUseReplicas() != RedisReplicas.NEVER) {
      throw readsReplicas("replicas", options.getUseReplicas());
    }
    if (options.getRole() != RedisRole.MASTER) {
      throw readsReplicas("role", options.getRole());
    }
  }

  private static ConfigurationException readsReplicas(String setting, Enum<?> value) {
    return new ConfigurationException(
        "quarkus.redis.%s=%s cannot be used: a replica may lack acknowledged adds, so the service reads from primaries only. Remove this setting."
            .formatted(setting, value.name().toLowerCase(Locale.ROOT)));
  }

  @Override
  public RedisOptions get() {
    if (options == null) {
      throw new IllegalStateException("Quarkus has not built the default Redis client yet");
    }
    return options;
  }
}
