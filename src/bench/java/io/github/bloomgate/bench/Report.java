package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The results of all measurements, in order. */
final class Report {

  private static final double DISTURBING_CORES = 0.1;

  private final List<Row> rows = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Compares the service with a peer and a target. If the peer did not run, only adds a note. */
  void compare(Comparison comparison, String peer, Target target) {
    compare(comparison, peer, Optional.of(target));
  }

  /** Compares the service with a peer, without a target. */
  void compare(Comparison comparison, String peer) {
    compare(comparison, peer, Optional.empty());
  }

  private void compare(Comparison comparison, String peer, Optional<Target> target) {
    details(comparison);
    if (!comparison.has(peer)) {
      target.ifPresent(
          wanted ->
              note(
                  "%s against %s (%s) was skipped: see the options"
                      .formatted(comparison.work(), peer, wanted.text())));
      return;
    }
    if (!completedSomething(comparison, Names.SERVICE) || !completedSomething(comparison, peer)) {
      note(
          "%s against %s gave no figure: not one operation was completed in the time"
              .formatted(comparison.work(), peer));
      return;
    }
    var ratio = comparison.ratio(Names.SERVICE, peer);
    rows.add(
        new Row(
            comparison.work(),
            Figures.text(comparison.median(Names.SERVICE)) + " " + comparison.unit(),
            peer + ": " + Figures.text(comparison.median(peer)),
            ratio,
            target,
            target.map(wanted -> wanted.isMetBy(ratio)).orElse(false)));
  }

  private static boolean completedSomething(Comparison comparison, String contender) {
    return comparison.least(contender) > 0;
  }

  /** Compares the best contender of a comparison with its worst. */
  void flat(Comparison comparison, Target target) {
    details(comparison);
    var medians = comparison.contenders().stream().mapToDouble(comparison::median).toArray();
    var best = Arrays.stream(medians).max().orElseThrow();
    var worst = Arrays.stream(medians).min().orElseThrow();
    rows.add(
        new Row(
            comparison.work(),
            Figures.text(worst) + " " + comparison.unit() + " at worst",
            "at best: " + Figures.text(best),
            best / worst,
            Optional.of(target),
            target.isMetBy(best / worst)));
  }

  /** Compares a figure with a limit. */
  void limit(String work, double figure, String unit, Target target) {
    rows.add(
        new Row(
            work,
            Figures.text(figure) + " " + unit,
            "",
            Double.NaN,
            Optional.of(target),
            target.isMetBy(figure)));
  }

  /** Notes which comparisons had to share the machine. */
  void noteDisturbance() {
    var disturbed =
        comparisons.stream().filter(Report::isDisturbed).map(Comparison::work).distinct().toList();
    if (!disturbed.isEmpty()) {
      note(
          "Other programs kept more than %s of a processor busy in: %s"
              .formatted(DISTURBING_CORES, String.join(", ", disturbed)));
    }
  }

  private static boolean isDisturbed(Comparison comparison) {
    return comparison.contenders().stream()
        .anyMatch(name -> comparison.median(name, Sample::otherCores) > DISTURBING_CORES);
  }

  /** Keeps all figures of a comparison for the second table. */
  void details(Comparison comparison) {
    if (!comparisons.contains(comparison)) {
      comparisons.add(comparison);
    }
  }

  /** Adds a note for readers. */
  void note(String text) {
    notes.add(text);
  }

  List<Row> rows() {
    return rows;
  }

  List<Comparison> comparisons() {
    return comparisons;
  }

  List<String> notes() {
    return notes;
  }
}
