package io.github.bloomgate.bench;

import java.util.List;
import java.util.stream.IntStream;
import org.redisson.Redisson;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson in this process, with its default settings. */
final class RedissonPeer implements AutoCloseable {

  private final RedissonClient client;

  RedissonPeer(int redisPort) {
    var config = new Config();
    config.useSingleServer().setAddress("redis://127.0.0.1:" + redisPort);
    client = Redisson.create(config);
  }

  /** Creates or replaces a filter with a false-positive rate of 0.01, without elements. */
  RBloomFilter<String> recreate(String name, long expectedInsertions) {
    var filter = client.<String>getBloomFilter(name);
    filter.delete();
    filter.tryInit(expectedInsertions, 0.01);
    return filter;
  }

  /** Creates the filter that most tests use. */
  void createKnown(int known) {
    var filter = recreate(Stage.KNOWN, Stage.INSERTIONS);
    for (var first = 0; first < known; first += Elements.BATCH) {
      filter.add(batchFrom(first));
    }
  }

  /** The filter with the known elements. */
  RBloomFilter<String> known() {
    return client.getBloomFilter(Stage.KNOWN);
  }

  private static List<String> batchFrom(int first) {
    return IntStream.range(first, first + Elements.BATCH).mapToObj(Elements::element).toList();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
