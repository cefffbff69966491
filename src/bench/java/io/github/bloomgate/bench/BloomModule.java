package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Filters of the Bloom module in the peers' Redis, asked through webdis. */
final class BloomModule {

  private BloomModule() {}

  /** Makes a filter with the elements below {@code known}. */
  static void createKnown(RedisConnection redis, int known) {
    redis.call("BF.RESERVE", Stage.KNOWN, "0.01", Long.toString(Stage.INSERTIONS), "NONSCALING");
    for (var first = 0; first < known; first += Elements.BATCH) {
      var command =
          IntStream.range(first, first + Elements.BATCH).mapToObj(Elements::element).toList();
      var arguments = new ArrayList<>(List.of("BF.MADD", Stage.KNOWN));
      arguments.addAll(command);
      redis.call(arguments.toArray(String[]::new));
    }
  }

  /** Makes a filter without elements. */
  static void createAnew(RedisConnection redis, long expectedInsertions) {
    redis.call("DEL", Stage.FRESH);
    redis.call("BF.RESERVE", Stage.FRESH, "0.01", Long.toString(expectedInsertions), "NONSCALING");
  }

  static Requests tests(List<String> elements) {
    return Requests.get(
        elements.stream().map(element -> "/BF.EXISTS/" + Stage.KNOWN + "/" + element).toList());
  }

  /** Requests whose command has many elements go into a body. */
  static Requests batches(String command, String filter, List<List<String>> batches) {
    return Requests.post(
        "/",
        "application/x-www-form-urlencoded",
        batches.stream()
            .map(batch -> command + "/" + filter + "/" + String.join("/", batch))
            .toList());
  }
}
