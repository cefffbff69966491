package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The results of all measurements, in order. */
final class Report {

  private final String commit;
  private final String setup;
  private final List<Row> rows = new ArrayList<>();
  private final Set<String> disturbed = new LinkedHashSet<>();

  /**
   * Creates an empty report.
   *
   * @param commit the measured version of the service
   * @param setup the setup of a row that names no other
   */
  Report(String commit, String setup) {
    this.commit = commit;
    this.setup = setup;
  }

  /** Compares the service with a peer, if the peer ran. */
  void compare(Comparison comparison, String peer) {
    compare(comparison.work(), setup, comparison, Names.SERVICE, peer);
  }

  /** Compares a contender of another setup with a peer, if both ran. */
  void compare(String work, String itsSetup, Comparison comparison, String contender, String peer) {
    if (comparison.has(contender) && comparison.has(peer)) {
      add(
          comparison,
          new Row(
              work,
              itsSetup,
              with(comparison, comparison.median(contender)),
              peer + ": " + Figures.text(comparison.median(peer)),
              Figures.text(comparison.ratio(contender, peer)),
              commit));
    }
  }

  /** Compares the best contender of a comparison with its worst. */
  void flat(Comparison comparison) {
    var medians = comparison.contenders().stream().mapToDouble(comparison::median).toArray();
    var best = Arrays.stream(medians).max().orElseThrow();
    var worst = Arrays.stream(medians).min().orElseThrow();
    add(
        comparison,
        new Row(
            comparison.work(),
            setup,
            with(comparison, worst) + " at worst",
            "at best: " + Figures.text(best),
            Figures.text(best / worst),
            commit));
  }

  private static String with(Comparison comparison, double figure) {
    return Figures.text(figure) + " " + comparison.unit();
  }

  private void add(Comparison comparison, Row row) {
    add(row);
    if (comparison.isDisturbed()) {
      disturbed.add(comparison.work());
    }
  }

  /** Reports a figure without a peer. */
  void figure(String work, double figure, String unit) {
    add(new Row(work, setup, Figures.text(figure) + " " + unit, "", "", commit));
  }

  /** Reports the longest call to Redis during a benchmark. */
  void longestCall(String work, String time) {
    add(new Row("longest call to Redis: " + work, setup, time, "", "", commit));
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
