package io.github.bloomgate.redis;

import io.github.bloomgate.config.BloomgateConfig;
import io.vertx.core.Future;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import java.util.List;
import java.util.function.Supplier;

/**
 * The Redis that takes changes: the one at the configured address, the one that sentinels name, or
 * the primary among several hosts.
 */
final class Primary implements Endpoint {
  private final Supplier<RedisOptions> options;
  private final Sentinels sentinels;
  private final ReplicatedHosts hosts;

  Primary(ContextInternal loop, Supplier<RedisOptions> options, BloomgateConfig.Redis settings) {
    this.options = options;
    this.sentinels = new Sentinels(loop, options, settings.connectTimeout());
    this.hosts = new ReplicatedHosts(loop.owner(), options, settings.connectTimeout());
  }

  @Override
  public Future<RedisOptions> find() {
    var configured = options.get();
    return switch (configured.getType()) {
      case SENTINEL -> sentinels.find();
      case REPLICATION -> hosts.find();
      case STANDALONE, CLUSTER -> Future.succeededFuture(configured);
    };
  }

  @Override
  public boolean isPrimary() {
    return true;
  }

  /** Makes a node leave a Redis that is no longer the primary, as soon as sentinels say so. */
  void guide(RedisNode node) {
    sentinels.guide(node);
  }

  void close() {
    sentinels.close();
  }

  /** The driver options for a single Redis. */
  static RedisOptions at(RedisOptions options, String address) {
    return new RedisOptions(options)
        .setType(RedisClientType.STANDALONE)
        .setEndpoints(List.of(address));
  }
}
