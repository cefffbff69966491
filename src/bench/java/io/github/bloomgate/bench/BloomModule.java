package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Filters of RedisBloom in the peers' Redis, used through webdis. */
final class BloomModule {

  /**
   * Deletes and creates the filter in one step, because an add of the previous measurement may
   * still be running.
   */
  private static final String RECREATE =
      "redis.call('DEL', KEYS[1])"
          + " return redis.call('BF.RESERVE', KEYS[1], ARGV[1], ARGV[2], 'NONSCALING')";

  private BloomModule() {}

  // Redisson has filters with the same names in the same Redis.
  private static String key(String filter) {
    return "module." + filter;
  }

  /** Creates or replaces a filter with the elements below {@code known}. */
  static void recreate(RedisConnection redis, String filter, long insertions, int known) {
    redis.call("EVAL", List.of(RECREATE, "1", key(filter), "0.01", Long.toString(insertions)));
    for (var first = 0; first < known; first += Elements.BATCH) {
      var arguments = new ArrayList<>(List.of(key(filter)));
      IntStream.range(first, first + Elements.BATCH)
          .mapToObj(Elements::element)
          .forEach(arguments::add);
      redis.call("BF.MADD", arguments);
    }
  }

  static String version(RedisConnection redis) {
    var version = redis.moduleVersion();
    return "Bloom module %d.%d.%d".formatted(version / 10_000, version / 100 % 100, version % 100);
  }

  static Requests tests(String filter, List<String> elements) {
    return Requests.get(
        elements.stream().map(element -> "/BF.EXISTS/" + key(filter) + "/" + element).toList());
  }

  static Requests add(String filter, String element) {
    return Requests.get(List.of("/BF.ADD/" + key(filter) + "/" + element));
  }

  /** Requests whose command has many elements, in the body. */
  static Requests batches(String command, String filter, List<List<String>> batches) {
    return Requests.post(
        "/",
        "application/x-www-form-urlencoded",
        batches.stream()
            .map(batch -> command + "/" + key(filter) + "/" + String.join("/", batch))
            .toList());
  }
}
