package io.github.bloomgate.bench;

import java.util.List;

/** Loads a file of lines into a new filter in one request, and tests it. */
final class Bulk implements Work {

  private static final String FILTER = "bench.bulk";
  private static final int WARM_UP_LINES = 200_000;

  @Override
  public String name() {
    return "bulk";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var lines = stage.options().bulkLines();
    warmUp(stage);
    load(stage, report, lines);
    test(stage, report, lines);
    report.figure("bulk, heap still held after", heldHeap(stage), "MiB");
  }

  private static void warmUp(Stage stage) {
    var lines = Elements.lines(WARM_UP_LINES);
    stage.service().filters().recreate(FILTER, WARM_UP_LINES);
    stage.service().filters().load(FILTER, lines);
    var unused = stage.service().filters().test(FILTER, lines);
    var guava = new GuavaPeer(WARM_UP_LINES);
    for (var i = 0; i < 5; i++) {
      guava.put(lines);
      guava.test(lines);
    }
  }

  private static void load(Stage stage, Report report, int count) {
    var lines = Elements.lines(count);
    var service =
        new Contender(
            Names.SERVICE,
            () -> {
              stage.service().filters().recreate(FILTER, count);
              return perSecond(count, () -> stage.service().filters().load(FILTER, lines));
            });
    var guava =
        new Contender(
            Names.GUAVA,
            () -> {
              var filter = new GuavaPeer(count);
              return perSecond(count, () -> filter.put(lines));
            });
    var redisson = BatchTest.inElements(List.of(BatchAdd.redisson(stage, count))).get(0);
    var comparison =
        Comparison.cold(
            "bulk load",
            "elements/s",
            stage.options().repeats(),
            List.of(service, guava, redisson));
    report.compare(comparison, Names.GUAVA);
    report.compare(comparison, Names.REDISSON);
  }

  private static void test(Stage stage, Report report, int count) {
    var filter = new GuavaPeer(count);
    filter.put(Elements.lines(count));
    var lines = Elements.halfKnownLines(count);
    var known = stage.redisson().known();
    var batches = Elements.batches(Elements.halfKnown(64_000, stage.options().knownElements()));
    var contenders =
        List.of(
            new Contender(
                Names.SERVICE,
                () ->
                    perSecond(
                        count,
                        () ->
                            Known.requireHalf(
                                count, stage.service().filters().test(FILTER, lines)))),
            new Contender(Names.GUAVA, () -> perSecond(count, () -> filter.test(lines))),
            new Contender(
                Names.REDISSON,
                () ->
                    InProcessLoad.run(
                            Stage.BATCH_CLIENTS,
                            stage.options().time(),
                            serial -> known.contains(batches.get((int) (serial % batches.size()))))
                        .times(Elements.BATCH)));
    var comparison =
        Comparison.cold("bulk test", "elements/s", stage.options().repeats(), contenders);
    if (filter.found() == 0) {
      throw new IllegalStateException("Guava found no element");
    }
    report.compare(comparison, Names.GUAVA);
    report.compare(comparison, Names.REDISSON);
  }

  private static Sample perSecond(int count, Runnable work) {
    var start = System.nanoTime();
    work.run();
    return Sample.of(count * 1e9 / (System.nanoTime() - start));
  }

  /** The heap of the service after a full collection, in MiB. */
  private static double heldHeap(Stage stage) {
    ServerProcess.jcmd(stage.service().app().process().pid(), "GC.run");
    return stage
            .service()
            .filters()
            .metrics()
            .lines()
            .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum()
        / (1 << 20);
  }
}
