package io.github.bloomgate.redis;

import io.quarkus.redis.client.RedisOptionsCustomizer;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.vertx.redis.client.RedisOptions;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/**
 * Remembers the driver options Quarkus makes of all {@code quarkus.redis.*} settings.
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
      this.options = options;
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
