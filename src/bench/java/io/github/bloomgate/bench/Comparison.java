package io.github.bloomgate.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The samples of some contenders, taken in alternating rounds. */
final class Comparison {

  private static final int MOST_WARM_UPS = 20;

  /** The time until a JVM has compiled most code. */
  private static final Duration LEAST_WARM_UP = Duration.ofSeconds(20);

  /** The largest difference between two measurements of a warm contender. */
  private static final double STEADY = 0.05;

  private final String work;
  private final String unit;
  private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

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
    contenders.forEach(contender -> comparison.samples.put(contender.name(), new ArrayList<>()));
    var order = new ArrayList<Contender>(contenders);
    for (var round = 0; round < repeats; round++) {
      for (var contender : order) {
        var others = new OtherLoad();
        var measured = contender.measurement().get();
        var sample = measured.beside(others.cores());
        comparison.samples.get(contender.name()).add(sample);
        System.out.printf("  %s: %s %,.1f %s%n", work, contender.name(), sample.value(), unit);
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
    return List.copyOf(samples.keySet());
  }

  boolean has(String contender) {
    return samples.containsKey(contender);
  }

  double median(String contender, ToDoubleFunction<Sample> figure) {
    return median(samples.get(contender).stream().mapToDouble(figure).sorted().toArray());
  }

  double median(String contender) {
    return median(contender, Sample::value);
  }

  double least(String contender) {
    return samples.get(contender).stream().mapToDouble(Sample::value).min().orElseThrow();
  }

  double most(String contender) {
    return samples.get(contender).stream().mapToDouble(Sample::value).max().orElseThrow();
  }

  /** The median of the ratios of two contenders' figures in the same round. */
  double ratio(String contender, String peer) {
    var own = samples.get(contender);
    var others = samples.get(peer);
    var ratios = new double[own.size()];
    for (var i = 0; i < ratios.length; i++) {
      ratios[i] = own.get(i).value() / others.get(i).value();
    }
    Arrays.sort(ratios);
    return median(ratios);
  }

  private static double median(double[] sorted) {
    var middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
