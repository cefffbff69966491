package io.github.bloomgate.libraries;

import io.github.bloomgate.support.RawRedis;
import org.redisson.Redisson;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** Redisson on the Redis of the service under test. */
final class RedissonOnRedis implements AutoCloseable {

  private final RedissonClient client;

  RedissonOnRedis(RawRedis redis) {
    var config = new Config();
    config.setPassword(redis.password());
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + redis.port())
        // The default of a few seconds is too short for some machines.
        .setTimeout(60_000)
        .setConnectTimeout(60_000)
        .setConnectionPoolSize(4)
        .setConnectionMinimumIdleSize(1);
    client = Redisson.create(config);
  }

  /**
   * A filter as an application gets it, initialised or not.
   *
   * @param elementCodec {@code string}, or {@code kryo5}, Redisson's default
   */
  RBloomFilter<String> filter(String key, String elementCodec) {
    return switch (elementCodec) {
      case "string" -> client.getBloomFilter(key, StringCodec.INSTANCE);
      case "kryo5" -> client.getBloomFilter(key);
      default -> throw new IllegalArgumentException(elementCodec);
    };
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
