package io.github.bloomgate.bench;

import java.util.Locale;
import java.util.function.LongFunction;

/**
 * Whether an element costs the same in small and large filters. Known elements cost the same
 * however full their filter is. New elements go to several filters of the same size in turn, enough
 * to have room for all.
 */
final class CostAgainstSize implements Work {

  private static final int BATCHES = 64;
  private static final int MOST_KNOWN = 100_000;

  @Override
  public String name() {
    return "size";
  }

  @Override
  public void measure(Stage stage, Report report) {
    for (var size : stage.options().filterSizes()) {
      var filters = stage.service().filters();
      filters.recreate(filter(size), size);
      filters.load(filter(size), Elements.lines(known(size)));
    }
    compare(stage, report, "batch test against size", size -> known(stage, size, "/test"));
    compare(stage, report, "batch add against size", size -> known(stage, size, "/add"));
    compare(stage, report, "batch add of new elements against size", size -> added(stage, size));
    for (var size : stage.options().filterSizes()) {
      newBatches(stage, size).deleteFilters();
    }
  }

  private static void compare(
      Stage stage, Report report, String work, LongFunction<Contender> contender) {
    var contenders =
        stage.options().filterSizes().stream().map(size -> contender.apply(size)).toList();
    var comparison =
        Comparison.warmedUp(
            work, "elements/s", stage.options().repeats(), BatchTest.inElements(contenders));
    report.flat(comparison);
  }

  private static Contender known(Stage stage, long size, String call) {
    var batches = Elements.batches(Elements.known(BATCHES * Elements.BATCH, known(size)));
    var requests = Requests.json(FilterApi.path(filter(size), call), batches);
    return stage.http(label(size), stage.service().port(), requests);
  }

  private static Contender added(Stage stage, long size) {
    var filters = stage.service().filters();
    return newBatches(stage, size).contender(label(size), filter -> filters.recreate(filter, size));
  }

  private static NewBatches newBatches(Stage stage, long size) {
    return new NewBatches(stage, filter(size), size);
  }

  private static int known(long size) {
    return (int) Math.min(size, MOST_KNOWN);
  }

  private static String filter(long size) {
    return "bench.size." + size;
  }

  private static String label(long size) {
    return String.format(Locale.ROOT, "n = %,d", size);
  }
}
