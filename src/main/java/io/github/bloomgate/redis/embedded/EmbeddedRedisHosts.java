package io.github.bloomgate.redis.embedded;

import io.github.bloomgate.config.BloomgateConfig;
import io.netty.channel.epoll.Epoll;
import io.quarkus.redis.client.RedisHostsProvider;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Starts the embedded Redis and provides its address to the client. Quarkus calls it only if {@code
 * quarkus.redis.hosts} is not set. Thread-safe.
 */
@ApplicationScoped
@Identifier("embedded")
class EmbeddedRedisHosts implements RedisHostsProvider {

  private final BloomgateConfig config;
  private final boolean sockets;
  private Optional<EmbeddedRedis> redis = Optional.empty();

  /** Vert.x knows whether it has the native transport, but is not available yet. */
  EmbeddedRedisHosts(
      BloomgateConfig config,
      @ConfigProperty(name = "quarkus.vertx.prefer-native-transport") boolean nativeTransport) {
    this.config = config;
    this.sockets = nativeTransport && Epoll.isAvailable();
  }

  /**
   * The address of the embedded Redis, which the first call starts. Quarkus calls this once for
   * each client.
   */
  @Override
  public synchronized Set<URI> getHosts() {
    if (redis.isEmpty()) {
      redis = Optional.of(EmbeddedRedis.start(config.embedded(), sockets));
    }
    return Set.of(redis.get().uri());
  }

  @PreDestroy
  synchronized void stop() {
    redis.ifPresent(EmbeddedRedis::close);
    redis = Optional.empty();
  }
}
