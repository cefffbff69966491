package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether an element costs the same in small and large filters. All elements are known, so that
 * each takes the same work however full its filter is.
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
      filters.createAnew(filter(size), size);
      filters.load(filter(size), Elements.lines(known(size)));
    }
    compare(stage, report, "test");
    compare(stage, report, "add");
  }

  private static void compare(Stage stage, Report report, String call) {
    var contenders = new ArrayList<Contender>();
    for (var size : stage.options().filterSizes()) {
      var batches = Elements.batches(Elements.known(BATCHES * Elements.BATCH, known(size)));
      var requests = Requests.json(FilterApi.path(filter(size), "/" + call), batches);
      contenders.add(stage.http(label(size), stage.service().port(), requests));
    }
    var comparison =
        Comparison.warmedUp(
            "batch " + call + " against size",
            "elements/s",
            stage.options().repeats(),
            BatchTest.inElements(List.copyOf(contenders)));
    report.flat(comparison, Target.atMost(2));
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
