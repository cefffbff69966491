package io.github.bloomgate.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a run measures and for how long, from system properties that begin with {@code bench.}.
 *
 * @param works names of the benchmarks to run; empty for all
 * @param seconds length of a timed measurement
 * @param profile whether to profile the service during each benchmark
 * @param java the java of a JDK 25 or later, for the setup of the image
 * @param load {@code wrk}, {@code java}, or {@code auto} for wrk if it is installed
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
    Optional<Path> java,
    boolean profile,
    Path report) {

  static Options read() {
    var quick = Boolean.getBoolean("bench.quick");
    return new Options(
        quick,
        list("works"),
        Integer.parseInt(text("repeats").orElse(quick ? "1" : "3")),
        Integer.parseInt(text("seconds").orElse(quick ? "1" : "3")),
        text("load").orElse("auto"),
        text("webdis").map(Path::of),
        text("redis-server").map(Path::of),
        text("redisbloom").map(Path::of),
        text("java").map(Path::of),
        Boolean.getBoolean("bench.profile"),
        // A quick run must not overwrite the figures of a real one.
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

  /** The number of elements in a filter before it is tested. */
  int knownElements() {
    return quick ? 100_000 : 1_000_000;
  }

  /**
   * The number of elements in a filter before it is tested: its capacity, or fewer in a quick run.
   */
  int knownElements(long expectedInsertions) {
    return Math.toIntExact(
        quick ? Math.min(knownElements(), expectedInsertions) : expectedInsertions);
  }

  /** The number of single-element requests, where it is fixed. */
  long singleRequests() {
    return quick ? 10_000 : 100_000;
  }

  /** The number of batch requests, where it is fixed. */
  long batchRequests() {
    return quick ? 200 : 5_000;
  }

  /** The number of lines in a bulk load. */
  int bulkLines() {
    return quick ? 500_000 : 10_000_000;
  }

  /** The capacities of the filters whose cost is compared. */
  List<Long> filterSizes() {
    return quick
        ? List.of(10_000L, 1_000_000L)
        : List.of(10_000L, 100_000L, 1_000_000L, 10_000_000L, 100_000_000L);
  }
}
