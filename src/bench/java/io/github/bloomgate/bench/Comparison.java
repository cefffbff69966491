package io.github.bloomgate.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The samples of some contenders, taken in alternating rounds. */
final class Comparison {

  private static final int MOST_WARM_UPS = 20;

  /** The time until a JVM has compiled most code. */
  private static final Duration LEAST_WARM_UP = Duration.ofSeconds(20);

  /** The largest difference between two measurements of a warm contender. */
  private static final double STEADY = 0.05;

  /** The number of processors that other programs may keep busy. */
  static final double DISTURBING_CORES = 0.1;

  private final String work;
  private final String unit;
  private final Map<String, List<Double>> figures = new LinkedHashMap<>();
  private final Map<String, List<Double>> otherCores = new LinkedHashMap<>();

  private Comparison(String work, String unit) {
    this.work = work;
    this.unit = unit;
  }

  /**
   * Warms up each contender until it stops getting faster, then measures all in this number of
   * rounds.
   */
  static Comparison warmedUp(
      String work, String unit, int repeats, List<? extends Contender> contenders) {
    for (var contender : contenders) {
      warmUp(contender, repeats == 1 ? 1 : MOST_WARM_UPS);
    }
    return cold(work, unit, repeats, contenders);
  }

  // Contenders differ in how soon their JVM has compiled the code.
  private static void warmUp(Contender contender, int most) {
    var begin = System.nanoTime();
    var last = contender.measurement().get().value();
    for (var i = 1; i < most; i++) {
      var next = contender.measurement().get().value();
      var isLong = System.nanoTime() - begin >= LEAST_WARM_UP.toNanos();
      if (isLong && Math.abs(next / last - 1) < STEADY) {
        return;
      }
      last = next;
    }
  }

  /** Measures all in this number of rounds, every other one in reverse order. */
  static Comparison cold(
      String work, String unit, int repeats, List<? extends Contender> contenders) {
    var comparison = new Comparison(work, unit);
    for (var contender : contenders) {
      comparison.figures.put(contender.name(), new ArrayList<>());
      comparison.otherCores.put(contender.name(), new ArrayList<>());
    }
    var order = new ArrayList<Contender>(contenders);
    for (var round = 0; round < repeats; round++) {
      for (var contender : order) {
        var others = new OtherLoad();
        var figure = contender.measurement().get().value();
        comparison.otherCores.get(contender.name()).add(others.cores());
        comparison.figures.get(contender.name()).add(figure);
        System.out.printf("  %s: %s %,.1f %s%n", work, contender.name(), figure, unit);
      }
      Collections.reverse(order);
    }
    return comparison;
  }

  String work() {
    return work;
  }

  String unit() {
    return unit;
  }

  List<String> contenders() {
    return List.copyOf(figures.keySet());
  }

  boolean has(String contender) {
    return figures.containsKey(contender);
  }

  double median(String contender) {
    return median(figures.get(contender));
  }

  /** The median of the ratios of two contenders' figures in the same round. */
  double ratio(String contender, String peer) {
    var ratios = new ArrayList<Double>();
    for (var i = 0; i < figures.get(peer).size(); i++) {
      ratios.add(figures.get(contender).get(i) / figures.get(peer).get(i));
    }
    return median(ratios);
  }

  /** Whether other programs took much CPU time while a contender was measured. */
  boolean isDisturbed() {
    return otherCores.values().stream().anyMatch(cores -> median(cores) > DISTURBING_CORES);
  }

  private static double median(List<Double> values) {
    var sorted = values.stream().sorted().toList();
    var middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
