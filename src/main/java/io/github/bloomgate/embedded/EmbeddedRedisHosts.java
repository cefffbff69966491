package io.github.bloomgate.embedded;

import io.github.bloomgate.config.BloomgateConfig;
import io.quarkus.redis.client.RedisHostsProvider;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Tells the Redis client where Redis is by starting the embedded one. Quarkus asks it only when
 * {@code quarkus.redis.hosts} is not set. Thread-safe.
 */
@ApplicationScoped
@Identifier("embedded")
class EmbeddedRedisHosts implements RedisHostsProvider {

  private final BloomgateConfig config;
  private Optional<EmbeddedRedis> redis = Optional.empty();

  EmbeddedRedisHosts(BloomgateConfig config) {
    this.config = config;
  }

  /**
   * The one address of the embedded Redis, started by the first call; Quarkus asks once a client.
   */
  @Override
  public synchronized Set<URI> getHosts() {
    if (redis.isEmpty()) {
      redis = Optional.of(EmbeddedRedis.start(config.embedded()));
    }
    return Set.of(redis.get().uri());
  }

  @PreDestroy
  synchronized void stop() {
    redis.ifPresent(EmbeddedRedis::close);
    redis = Optional.empty();
  }
}
