package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The results of all measurements, in order. */
final class Report {

  private final String commit;
  private final List<Row> rows = new ArrayList<>();
  private final Set<String> disturbed = new LinkedHashSet<>();

  /**
   * Creates an empty report.
   *
   * @param commit the measured version of the service
   */
  Report(String commit) {
    this.commit = commit;
  }

  /** Compares the service with a peer, if the peer ran. */
  void compare(Comparison comparison, String peer) {
    if (comparison.has(peer)) {
      add(
          comparison,
          with(comparison, comparison.median(Names.SERVICE)),
          peer + ": " + Figures.text(comparison.median(peer)),
          comparison.ratio(Names.SERVICE, peer));
    }
  }

  /** Compares the best contender of a comparison with its worst. */
  void flat(Comparison comparison) {
    var medians = comparison.contenders().stream().mapToDouble(comparison::median).toArray();
    var best = Arrays.stream(medians).max().orElseThrow();
    var worst = Arrays.stream(medians).min().orElseThrow();
    add(
        comparison,
        with(comparison, worst) + " at worst",
        "at best: " + Figures.text(best),
        best / worst);
  }

  private static String with(Comparison comparison, double figure) {
    return Figures.text(figure) + " " + comparison.unit();
  }

  private void add(Comparison comparison, String measured, String peer, double ratio) {
    add(new Row(comparison.work(), measured, peer, Figures.text(ratio), commit));
    if (comparison.isDisturbed()) {
      disturbed.add(comparison.work());
    }
  }

  /** Reports a figure without a peer. */
  void figure(String work, double figure, String unit) {
    add(new Row(work, Figures.text(figure) + " " + unit, "", "", commit));
  }

  private void add(Row row) {
    rows.add(row);
    System.out.println(row.line());
  }

  List<Row> rows() {
    return rows;
  }

  /** Names the comparisons that had to share the machine; empty if there was none. */
  List<String> disturbance() {
    return disturbed.isEmpty()
        ? List.of()
        : List.of(
            "Other programs kept more than %s of a processor busy in: %s"
                .formatted(Comparison.DISTURBING_CORES, String.join("; ", disturbed)));
  }
}
