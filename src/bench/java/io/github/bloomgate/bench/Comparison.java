package io.github.bloomgate.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The samples of some contenders, taken in alternating rounds. */
final class Comparison {

  private static final int MOST_WARM_UPS = 20;

  /** The time until a JVM has compiled most code. */
  private static final Duration LEAST_WARM_UP = Duration.ofSeconds(15);

  /** The largest difference between two measurements of a warm contender. */
  private static final double STEADY = 0.05;

  /** The number of processors that other programs may keep busy. */
  static final double DISTURBING_CORES = 0.1;

  private final String work;
  private final String unit;
  private final ToDoubleFunction<Sample> figure;
  private final Map<String, List<Sample>> samples;
  private final Map<String, List<Double>> otherCores;

  private Comparison(
      String work,
      String unit,
      ToDoubleFunction<Sample> figure,
      Map<String, List<Sample>> samples,
      Map<String, List<Double>> otherCores) {
    this.work = work;
    this.unit = unit;
    this.figure = figure;
    this.samples = samples;
    this.otherCores = otherCores;
  }

  /**
   * Warms up each contender until it stops getting faster, then measures all in this number of
   * rounds.
   */
  static Comparison warmedUp(
      String work, String unit, int repeats, List<? extends Contender> contenders) {
    warmUp(repeats, contenders);
    return cold(work, unit, repeats, contenders);
  }

  /** Warms up each contender until it stops getting faster. */
  static void warmUp(int repeats, List<? extends Contender> contenders) {
    for (var contender : contenders) {
      warmUp(contender, repeats == 1 ? 1 : MOST_WARM_UPS);
    }
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
    var comparison =
        new Comparison(work, unit, Sample::value, new LinkedHashMap<>(), new LinkedHashMap<>());
    for (var contender : contenders) {
      comparison.samples.put(contender.name(), new ArrayList<>());
      comparison.otherCores.put(contender.name(), new ArrayList<>());
    }
    var order = new ArrayList<Contender>(contenders);
    for (var round = 0; round < repeats; round++) {
      for (var contender : order) {
        var others = new OtherLoad();
        var sample = contender.measurement().get();
        comparison.otherCores.get(contender.name()).add(others.cores());
        comparison.samples.get(contender.name()).add(sample);
        System.out.printf("  %s: %s %,.1f %s%n", work, contender.name(), sample.value(), unit);
      }
      Collections.reverse(order);
    }
    return comparison;
  }

  /** Compares another figure of the same measurements. */
  Comparison of(Sample.Figure other, String otherWork, String otherUnit) {
    return new Comparison(
        otherWork, otherUnit, sample -> sample.others().get(other), samples, otherCores);
  }

  String work() {
    return work;
  }

  String unit() {
    return unit;
  }

  List<String> contenders() {
    return List.copyOf(samples.keySet());
  }

  boolean has(String contender) {
    return samples.containsKey(contender);
  }

  double median(String contender) {
    return median(figures(contender));
  }

  private List<Double> figures(String contender) {
    return samples.get(contender).stream().map(figure::applyAsDouble).toList();
  }

  /** The median of the ratios of two contenders' figures in the same round. */
  double ratio(String contender, String peer) {
    var ratios = new ArrayList<Double>();
    var own = figures(contender);
    var others = figures(peer);
    for (var i = 0; i < others.size(); i++) {
      ratios.add(own.get(i) / others.get(i));
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
