package io.github.bloomgate.bench;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** The time of changes of a whole filter, which should not depend on its size. */
final class WholeFilter implements Work {

  private static final String CREATION = "{\"expectedInsertions\": 1000000000}";

  /** The number of times each change is made. The first half warms up. */
  private static final int TIMES = 40;

  @Override
  public String name() {
    return "whole-filter";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var filters = stage.service().filters();
    var create = millis(i -> filters.create(Stage.FRESH + i, CREATION));
    // Adds elements, so that segments are written as in a filter that is used.
    IntStream.range(0, TIMES).forEach(i -> filters.load(Stage.FRESH + i, Elements.lines(1_000)));
    var open = millis(i -> filters.openRebuild(Stage.FRESH + i));
    var commit = millis(i -> filters.commitEmptyRebuild(Stage.FRESH + i));
    var delete = millis(i -> filters.delete(Stage.FRESH + i));
    report(report, "create a filter", create);
    report(report, "open a rebuild", open);
    report(report, "commit an empty rebuild", commit);
    report(report, "delete a filter", delete);
  }

  private static void report(Report report, String change, double millis) {
    report.figure(change + ", n = 1,000,000,000", millis, "ms");
  }

  /** The median. */
  private static double millis(IntConsumer change) {
    var times =
        IntStream.range(0, TIMES)
            .mapToLong(
                i -> {
                  var start = System.nanoTime();
                  change.accept(i);
                  return System.nanoTime() - start;
                })
            .skip(TIMES / 2)
            .sorted()
            .toArray();
    return Arrays.stream(times).skip(times.length / 2).findFirst().orElseThrow() / 1e6;
  }
}
