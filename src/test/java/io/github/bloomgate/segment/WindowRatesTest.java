package io.github.bloomgate.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A window by time keeps its false-positive rate however its elements are spread over time, and
 * forgets none of them early.
 */
@Tag("slow")
class WindowRatesTest {

  private static final int N = 8_000;
  private static final double P = 0.01;
  private static final long WINDOW = 64_000;
  private static final int WINDOWS = 2;
  private static final int PROBES = 15_000;

  /** How elements are spread over a window: the time, from 0 to 1, when the i-th of n arrives. */
  private enum Arrival {
    EVENLY,
    ONE_SLICE,
    TWO_SLICES,
    NINE_TENTHS_AT_ONCE,
    FIRST_HALF,
    GROWING,
    DRIBBLE_AND_BURST,
    PULSES;

    double at(int i, int n, int slices) {
      var share = (double) i / n;
      return switch (this) {
        case EVENLY -> share;
        case ONE_SLICE -> 0.3 + share / slices / 2;
        case TWO_SLICES -> (i < n / 2 ? 0.1 : 0.6) + share / slices / 2;
        case NINE_TENTHS_AT_ONCE -> i < n / 10 ? share : 0.5 + share / slices / 4;
        case FIRST_HALF -> share / 2;
        case GROWING -> Math.sqrt(share);
        case DRIBBLE_AND_BURST -> i < slices ? (double) i / slices : 0.999;
        case PULSES -> Math.floor(share * 5) / 5;
      };
    }
  }

  private final long seed = System.nanoTime();
  private final SplittableRandom random = new SplittableRandom(seed);

  @ParameterizedTest
  @CsvSource({"2, false", "2, true", "8, false", "8, true", "64, false", "64, true"})
  void anyArrivalKeepsTheRate(int slices, boolean refresh) {
    for (var arrival : Arrival.values()) {
      var worst = run(arrival, slices, refresh);
      assertTrue(
          worst <= 1.1 * P,
          "%s, %d slices, refresh %s: %f, seed %d"
              .formatted(arrival, slices, refresh, worst, seed));
    }
  }

  /**
   * Each element is added once, so an add that finds it known is a false positive. With refresh,
   * every add begins a window. Otherwise only an add of a new element does, and some of the others
   * are forgotten before theirs would end.
   */
  @ParameterizedTest
  @CsvSource({"0.01, true", "0.1, true", "0.01, false", "0.1, false"})
  void aWindowBeginsWithAnAddThatIsNewOrRefreshed(double p, boolean refresh) {
    var n = 1_000;
    var layout = WindowLayout.ofMillis(WINDOW, 8, n, 1, refresh);
    var format = format(layout, p);
    var content = SegmentCopy.empty(format).content();
    var added = new ArrayList<Remembered>();
    var known = new ArrayList<Remembered>();
    var forgotten = new HashSet<Remembered>();
    for (var i = 0; i < 3 * n; i++) {
      var at = 1 + WINDOW * i / n;
      var element = new Remembered(positions(format.numHashFunctions(), content.positions()), at);
      var answer = content.add(element.positions, 0, at);
      (answer == Verdict.CHANGED || refresh ? added : known).add(element);
      if (i % 10 == 0) {
        requireAll(content, added, at);
        known.removeIf(some -> some.at <= at - WINDOW);
        known.stream().filter(some -> !content.contains(some.positions, 0)).forEach(forgotten::add);
      }
    }
    System.out.printf(
        "p %s, refresh %s: %d of %d were forgotten early%n", p, refresh, forgotten.size(), 3 * n);
    assertEquals(refresh, forgotten.isEmpty(), "seed " + seed);
  }

  /** Only whole rings can be joined, so the window needs a third more capacity. */
  @ParameterizedTest
  @CsvSource({"3, 2", "2, 8", "3, 8", "6, 8", "16, 8", "6, 64"})
  void windowsThatAreMergedKeepTheRate(int filters, int slices) {
    var format = format(WindowLayout.ofMillis(WINDOW, slices, N, 1, false));
    var n = N * 3 / 4;
    var contents =
        Stream.generate(() -> SegmentCopy.empty(format).content()).limit(filters).toList();
    var recent = new ArrayList<Remembered>();
    for (var i = 0; i < 2 * n; i++) {
      add(contents.get(random.nextInt(filters)), format, 1 + WINDOW * i / n, recent);
    }
    var merged = contents.get(0);
    merged.advanceTo(2 * WINDOW);
    contents.stream().skip(1).forEach(merged::addAll);

    var worst = rate(merged, format, 2 * WINDOW);
    for (var i = 2 * n; i < 3 * n; i++) {
      var at = 1 + WINDOW * i / n;
      add(merged, format, at, recent);
      worst = Math.max(worst, i % 100 == 0 ? rate(merged, format, at) : 0);
    }
    requireAll(merged, recent, 3 * WINDOW);
    assertTrue(worst <= 1.1 * P, "%f, seed %d".formatted(worst, seed));
  }

  private void add(SegmentContent content, SegmentFormat format, long at, List<Remembered> recent) {
    var positions = positions(format.numHashFunctions(), content.positions());
    if (content.add(positions, 0, at) == Verdict.CHANGED) {
      recent.add(new Remembered(positions, at));
    }
  }

  private static SegmentFormat format(WindowLayout layout) {
    return format(layout, P);
  }

  private static SegmentFormat format(WindowLayout layout, double rate) {
    var p = layout.ringProbability(rate);
    var ringBytes =
        (int) Math.ceil(-layout.ringInsertions() * Math.log(p) / Math.pow(Math.log(2), 2) / 8);
    var k = (int) Math.round(Math.log(2) * 8 * ringBytes / layout.ringInsertions());
    return new SegmentFormat(ringBytes * layout.rings(), k, new SegmentFormat.Windowed(layout));
  }

  /** Returns the worst rate at the ends of slices. */
  private double run(Arrival arrival, int slices, boolean refresh) {
    var layout = WindowLayout.ofMillis(WINDOW, slices, N, 1, refresh);
    var format = format(layout);
    var ringBits = 8 * format.bitmapBytes() / layout.rings();
    var k = format.numHashFunctions();
    var content = SegmentCopy.empty(format).content();
    var recent = new ArrayList<Remembered>();
    var renewed = 0;
    var worst = 0.0;
    var nextLook = layout.sliceMillis();
    for (var window = 0; window < WINDOWS; window++) {
      for (var i = 0; i < N; i++) {
        var at = 1 + (long) (WINDOW * (window + arrival.at(i, N, slices)));
        while (at > nextLook) {
          worst = Math.max(worst, rate(content, format, nextLook));
          nextLook += layout.sliceMillis();
        }
        // Elements of this slice are usually in the newest ring, where nothing is written again.
        var old =
            refresh && random.nextInt(5) == 0
                ? drawn(recent, at - layout.sliceMillis())
                : Optional.<Remembered>empty();
        if (old.isPresent()) {
          var positions = old.get().positions;
          renewed += renews(content, positions, at) ? 1 : 0;
          recent.add(new Remembered(positions, at));
        } else {
          var positions = positions(k, ringBits);
          // Without refresh, an element that seems known is not written. This is a false positive,
          // not a lost add.
          if (content.add(positions, 0, at) == Verdict.CHANGED || refresh) {
            recent.add(new Remembered(positions, at));
          }
        }
      }
      requireAll(content, recent, WINDOW * (window + 1));
    }
    assertTrue(!refresh || renewed > N / 100, arrival + " renews " + renewed + ", seed " + seed);
    var last = rate(content, format, nextLook);
    assertEquals(last, measured(content, format, ringBits), 0.004, "seed " + seed);
    return Math.max(worst, last);
  }

  /** A random element that was added by the given time. */
  private Optional<Remembered> drawn(List<Remembered> recent, long latest) {
    return recent.isEmpty()
        ? Optional.empty()
        : Optional.of(recent.get(random.nextInt(recent.size()))).filter(one -> one.at <= latest);
  }

  /** Adds an element again, and returns whether it was known and was written again. */
  private static boolean renews(SegmentContent content, int[] positions, long at) {
    var before = content.kindHeader();
    return content.add(positions, 0, at) == Verdict.KNOWN
        && !Arrays.equals(before, content.kindHeader());
  }

  /** The false-positive rate, from the bits set in each ring. */
  private static double rate(SegmentContent content, SegmentFormat format, long now) {
    var layout = ((SegmentFormat.Windowed) format.kind()).layout();
    var inNone = 1.0;
    for (var ring :
        layout.remembered(Rings.read(content.kindHeader(), format.bitmapBytes()), now)) {
      var fill = (double) ring.bitsSet() / content.positions();
      inNone *= 1 - Math.pow(fill, format.numHashFunctions());
    }
    return 1 - inNone;
  }

  private record Remembered(int[] positions, long at) {}

  private void requireAll(SegmentContent content, List<Remembered> recent, long now) {
    content.advanceTo(now);
    recent.removeIf(some -> some.at <= now - WINDOW);
    var forgotten = recent.stream().filter(some -> !content.contains(some.positions, 0)).count();
    assertEquals(0, forgotten, "forgotten early, seed " + seed);
  }

  private double measured(SegmentContent content, SegmentFormat format, int ringBits) {
    var maybe = 0;
    for (var i = 0; i < PROBES; i++) {
      if (content.contains(positions(format.numHashFunctions(), ringBits), 0)) {
        maybe++;
      }
    }
    return (double) maybe / PROBES;
  }

  private int[] positions(int k, int ringBits) {
    var positions = new int[k];
    for (var i = 0; i < k; i++) {
      positions[i] = random.nextInt(ringBits);
    }
    return positions;
  }
}
