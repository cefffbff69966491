package io.github.bloomgate.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a run measures and how long, from system properties that begin with {@code bench.}.
 *
 * @param works names of the works to measure; empty for all
 * @param seconds length of one measurement by time
 * @param profile whether the service is sampled during each work
 * @param load {@code wrk}, {@code java}, or {@code auto} for wrk where it is installed
 */
record Options(
    boolean quick,
    List<String> works,
    int repeats,
    int seconds,
    String load,
    Optional<Path> webdis,
    Optional<Path> redisServer,
    Optional<Path> redisBloom,
    boolean profile,
    Path report) {

  static Options read() {
    var quick = Boolean.getBoolean("bench.quick");
    return new Options(
        quick,
        list("works"),
        Integer.parseInt(text("repeats").orElse(quick ? "1" : "3")),
        Integer.parseInt(text("seconds").orElse(quick ? "1" : "5")),
        text("load").orElse("auto"),
        text("webdis").map(Path::of),
        text("redis-server").map(Path::of),
        text("redisbloom").map(Path::of),
        Boolean.getBoolean("bench.profile"),
        // A smoke run leaves the figures of a real one alone.
        Path.of(
            text("report").orElse(quick ? "target/bench/benchmarks.md" : "docs/benchmarks.md")));
  }

  private static Optional<String> text(String name) {
    return Optional.ofNullable(System.getProperty("bench." + name)).filter(text -> !text.isBlank());
  }

  private static List<String> list(String name) {
    return text(name).map(text -> List.of(text.split(","))).orElse(List.of());
  }

  Duration time() {
    return Duration.ofSeconds(seconds);
  }

  boolean wants(String work) {
    return works.isEmpty() || works.contains(work);
  }

  /** Elements that are in a filter before it is tested. */
  int knownElements() {
    return quick ? 100_000 : 1_000_000;
  }

  /** Elements in a filter before it is tested: all that it expects, fewer in a quick run. */
  int knownElements(long expectedInsertions) {
    return Math.toIntExact(
        quick ? Math.min(knownElements(), expectedInsertions) : expectedInsertions);
  }

  /** Requests of one element, where they are counted. */
  long singleRequests() {
    return quick ? 10_000 : 100_000;
  }

  /** Requests of a batch, where they are counted. */
  long batchRequests() {
    return quick ? 200 : 5_000;
  }

  /** Lines of one bulk load. */
  int bulkLines() {
    return quick ? 500_000 : 10_000_000;
  }

  /** Expected insertions of the filters whose cost is compared. */
  List<Long> filterSizes() {
    return quick
        ? List.of(10_000L, 1_000_000L)
        : List.of(10_000L, 100_000L, 1_000_000L, 10_000_000L, 100_000_000L);
  }
}
