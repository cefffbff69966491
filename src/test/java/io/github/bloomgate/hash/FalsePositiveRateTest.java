package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.TestExtent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The promise of the native scheme: at capacity, the false-positive rate is at most 1.1 times the
 * requested rate, from n = 10 to 10^7 and p = 0.1 to 10^-6.
 *
 * <p>Two measurements complement each other:
 *
 * <ul>
 *   <li><b>By fill.</b> If a fraction f of a segment's bits is set, a probe with k uniform and
 *       independent bits hits it with probability f^k. The mean of f^k over many full filters is
 *       therefore the false-positive rate, without the noise of counting rare events.
 *   <li><b>By count.</b> Tests elements that were not added and counts the wrong answers. This
 *       assumes nothing about the hash, but at p = 10^-6 a million probes give only one false
 *       positive.
 * </ul>
 *
 * <p>The elements are consecutive 8-byte integers from a random start, which are harder for a hash
 * than random bytes. {@code -Dtest.seed} repeats a run. The long table has more probes and reaches
 * n = 10^7. {@code -Dtest.write-rates=true} writes it into {@code native-rates.md}.
 */
class FalsePositiveRateTest {

  private static final double TOLERANCE = 1.1;
  private static final double[] PROBABILITIES = {0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6};

  /** The least number of elements in all filters of a row together. */
  private static final long FILLED = TestExtent.isLong() ? 1_000_000 : 200_000;

  /** Far enough apart that members and probes of a run never overlap. */
  private static final long PROBES_FROM = 1L << 48;

  private final HashScheme scheme = HashSchemes.nativeScheme();
  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /**
   * Computes the exact rate under an ideal hash, so there is no tolerance. Covers every n for which
   * the textbook formula is too optimistic, with p in steps of a tenth of a decade.
   */
  @Test
  void smallFiltersMeetThePromiseExactly() {
    for (int n = 1; n <= 64; n++) {
      for (int tenths = 3; tenths <= 60; tenths++) {
        assertMeetsThePromise(n, StrictMath.pow(10, -tenths / 10.0));
      }
    }
  }

  /**
   * Goes down to the rate of a ring in a window at 10^-12. The rate varies more when an element has
   * more bits.
   */
  @Test
  void smallFiltersMeetThePromiseAtTheLowestRates() {
    for (int n = 4; n <= 80; n += TestExtent.isLong() ? 4 : 8) {
      for (int fifths = 30; fifths <= 69; fifths++) {
        assertMeetsThePromise(n, StrictMath.pow(10, -fifths / 5.0));
      }
    }
  }

  private void assertMeetsThePromise(int n, double p) {
    double ratio = exactRate(n, scheme.shapeFor(n, p)) / p;
    assertTrue(ratio <= TOLERANCE, "n = %d, p = %s: %f".formatted(n, p, ratio));
  }

  @Test
  void exactRateOfHandCheckableFilters() {
    // One element, one bit of 64: a probe hits it once in 64.
    assertEquals(1.0 / 64, exactRate(1, new FilterShape(1, 64, 1)), 1e-15);
    // Two throws into two bits: half the time one bit is set (rate 1/2), else both (rate 1).
    assertEquals(0.75, exactRate(2, new FilterShape(1, 2, 1)), 1e-15);
    // One element of two throws: half the time one bit is set (rate 1/4), else both (rate 1).
    assertEquals(0.625, exactRate(1, new FilterShape(1, 2, 2)), 1e-15);
  }

  @Test
  @Tag("slow")
  void fullFiltersMeetThePromise() {
    for (double p : PROBABILITIES) {
      long probes = p >= 1e-3 ? 150_000 : 500_000;
      List<Measured> row = new ArrayList<>();
      for (long n = 10; n <= 100_000; n *= 10) {
        row.add(measure(n, p, probes));
      }
      check(row, p);
    }
  }

  @Test
  @Tag("slow")
  void filtersOfSeveralSegmentsMeetThePromise() {
    // The segments are small, so that the uneven spread of elements over them matters more than in
    // a native shape, where several segments hold hundreds of thousands of elements each.
    FilterShape shape = new FilterShape(16, 96_000, 7);
    check(List.of(measure(scheme, 160_000, 0.01, shape, 1_000_000)), 0.01);
  }

  @Test
  @Tag("slow")
  void fullKeyedFiltersMeetThePromise() {
    byte[] key = new byte[32];
    random.nextBytes(key);
    HashScheme keyed = KeyedSchemeTest.keyed(key);
    for (double p : new double[] {0.1, 0.01, 1e-4}) {
      List<Measured> row = new ArrayList<>();
      for (long n = 10; n <= 100_000; n *= 100) {
        row.add(measure(keyed, n, p, keyed.shapeFor(n, p), 300_000));
      }
      check(row, p);
    }
  }

  @Test
  @Tag("long")
  void theLongTableMeetsThePromise() throws IOException {
    StringBuilder table = new StringBuilder();
    table.append("| n | promised | by fill | ratio | probes | counted | ratio |\n");
    table.append("|---:|---:|---:|---:|---:|---:|---:|\n");
    for (double p : PROBABILITIES) {
      long probes = p >= 1e-3 ? 10_000_000 : p >= 1e-4 ? 30_000_000 : 200_000_000;
      List<Measured> row = new ArrayList<>();
      for (long n = 10; n <= 10_000_000; n *= 10) {
        Measured measured = measure(n, p, probes);
        row.add(measured);
        table.append(measured.toMarkdown()).append('\n');
      }
      check(row, p);
    }
    if (!Boolean.getBoolean("test.write-rates")) {
      System.out.printf("seed %d%n%s%n", seed, table);
      return;
    }
    Path page = Path.of("src/test/resources/hash/native-rates.md");
    String begin = "<!-- rates -->\n\n";
    String end = "\n<!-- /rates -->";
    String text = Files.readString(page);
    int from = text.indexOf(begin) + begin.length();
    Files.writeString(page, text.substring(0, from) + table + text.substring(text.indexOf(end)));
  }

  /**
   * Checks filters of one probability.
   *
   * <p>By fill, there is no tolerance for sampling. The standard deviation of f^k over filters is
   * about k sqrt(0.32 / m) of its mean, at most 0.8 for the smallest filters. Every row averages
   * over filters with 200,000 elements in total, so the error of a ratio is about 0.006. Every
   * ratio here is more than four times that below the limit.
   *
   * <p>By count, c false positives have a standard deviation of sqrt(c), and hardly more for the
   * smallest filters, where many probes share one. The tolerance is seven standard deviations, plus
   * ten for counts near 0, where the Poisson distribution is skewed. Fewer than one of 10^11
   * correct counts exceeds it. All counts of one probability together must then keep the promise
   * with the same tolerance.
   */
  private void check(List<Measured> row, double p) {
    double promised = 0;
    long counted = 0;
    for (Measured measured : row) {
      String what = "seed " + seed + ": " + measured;
      assertTrue(measured.rateByFill <= TOLERANCE * p, what);
      double expected = measured.rateByFill * measured.probes;
      assertEquals(expected, (double) measured.falsePositives, 7 * Math.sqrt(expected) + 10, what);
      promised += TOLERANCE * p * measured.probes;
      counted += measured.falsePositives;
    }
    assertTrue(counted <= promised + 7 * Math.sqrt(promised) + 10, "seed " + seed + ": " + row);
  }

  private Measured measure(long n, double p, long probes) {
    return measure(scheme, n, p, scheme.shapeFor(n, p), probes);
  }

  private Measured measure(HashScheme scheme, long n, double p, FilterShape shape, long probes) {
    long filters = Math.max(1, FILLED / n);
    long probesEach = probes / filters;
    RedisBitmaps filter = new RedisBitmaps(scheme, shape);
    ByteBuffer element = ByteBuffer.allocate(8);
    long nextMember = random.nextLong();
    long nextProbe = nextMember + PROBES_FROM;
    double sumByFill = 0;
    long falsePositives = 0;
    for (long i = 0; i < filters; i++) {
      filter.clear();
      for (long j = 0; j < n; j++) {
        filter.add(element.putLong(0, nextMember++).array());
      }
      sumByFill += rateByFill(filter, shape);
      for (long j = 0; j < probesEach; j++) {
        if (filter.mightContain(element.putLong(0, nextProbe++).array())) {
          falsePositives++;
        }
      }
    }
    return new Measured(n, p, shape, sumByFill / filters, probesEach * filters, falsePositives);
  }

  private static double rateByFill(RedisBitmaps filter, FilterShape shape) {
    double sum = 0;
    for (long bitsSet : filter.bitsSetBySegment()) {
      sum += Math.pow((double) bitsSet / shape.segmentBits(), shape.numHashFunctions());
    }
    return sum / shape.segments();
  }

  private static double exactRate(int n, FilterShape shape) {
    int k = shape.numHashFunctions();
    return Sizing.exactMean(n * k, Math.toIntExact(shape.segmentBits()), k);
  }

  private record Measured(
      long n, double p, FilterShape shape, double rateByFill, long probes, long falsePositives) {

    String toMarkdown() {
      return String.format(
          Locale.ROOT,
          "| %,d | %s | %.4g | %.3f | %,d | %,d | %.3f |",
          n,
          p >= 1e-3 ? String.valueOf(p) : "10^" + Math.round(Math.log10(p)),
          rateByFill,
          rateByFill / p,
          probes,
          falsePositives,
          falsePositives / (p * probes));
    }
  }
}
