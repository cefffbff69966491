package io.github.bloomgate.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tests an element in one filter, in 10 and in 100, each with elements. Half of the tests hit. */
final class Several implements Work {

  private static final int MOST = 100;
  private static final long INSERTIONS = 10_000;

  /** The number of distinct requests. With 100 filters, each has two kilobytes. */
  private static final int POOL = 4_096;

  @Override
  public String name() {
    return "several";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var filters = stage.service().filters();
    names(MOST)
        .forEach(
            filter -> {
              filters.recreate(filter, INSERTIONS);
              filters.load(filter, Elements.lines((int) INSERTIONS));
            });
    var comparison =
        Comparison.warmedUp(
            "test in several filters",
            "requests/s",
            stage.options().repeats(),
            List.of(
                contender(stage, Names.SERVICE, 1),
                contender(stage, label(10), 10),
                contender(stage, label(MOST), MOST)));
    report.compare(comparison, label(10));
    report.compare(comparison, label(MOST));
    names(MOST).forEach(filters::delete);
  }

  private static Contender contender(Stage stage, String name, int filters) {
    var named =
        names(filters).stream()
            .map(filter -> "\"" + filter + "\"")
            .collect(Collectors.joining(",", "{\"filters\":[", "],\"elements\":["));
    var bodies =
        Elements.halfKnown(POOL, (int) INSERTIONS).stream()
            .map(element -> named + "\"" + element + "\"]}")
            .toList();
    return stage.http(
        name, stage.service().port(), Requests.post("/v1/test", "application/json", bodies));
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "bench.several." + i).toList();
  }

  private static String label(int filters) {
    return String.format(Locale.ROOT, "%d filters", filters);
  }
}
