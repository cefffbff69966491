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
 * The promise of the native scheme: at full load the false-positive rate is at most 1.1 times the
 * one asked for, from n = 10 to 10^7 and p = 0.1 to 10^-6.
 *
 * <p>Two measurements support each other, because neither suffices alone:
 *
 * <ul>
 *   <li><b>By fill.</b> A probe whose k bits are uniform and independent hits a segment with the
 *       share f of its bits set with probability f^k. The mean of f^k over many filled filters is
 *       therefore the false-positive rate, without the noise of counting rare events.
 *   <li><b>By count.</b> Elements that were not added are tested and the wrong answers counted.
 *       That needs no assumption about the hash, but at p = 10^-6 a million probes see one.
 * </ul>
 *
 * <p>The elements are consecutive 8-byte integers from a random start, a harder input for a hash
 * than random bytes. {@code -Dbloomgate.seed} repeats a run; The long table has more probes and
 * reaches n = 10^7; {@code -Dbloomgate.rates.write=true} writes it into {@code native-rates.md}.
 */
class FalsePositiveRateTest {

  private static final double TOLERANCE = 1.1;
  private static final double[] PROBABILITIES = {0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6};

  /** How many elements the filters of a row hold together at least. */
  private static final long FILLED = TestExtent.isLong() ? 1_000_000 : 200_000;

  /** Far enough apart that members and probes of a run never meet. */
  private static final long PROBES_FROM = 1L << 48;

  private final HashScheme scheme = HashSchemes.nativeScheme();
  private final long seed = Long.getLong("bloomgate.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /**
   * No sampling here, so no allowance: the exact rate under an ideal hash, for every n where the
   * textbook formula is too optimistic to be trusted, and for p in steps of a tenth of a decade.
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
   * Down to the rate of a ring of a window at 10^-12: the more bits an element takes, the more it
   * varies.
   */
  @Test
  void smallFiltersMeetThePromiseAtTheLowestRates() {
    for (int n = 4; n <= 80; n += 4) {
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
      long probes = p >= 1e-3 ? 300_000 : 1_000_000;
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
    // Small segments, so that the uneven spread of elements over them matters more than it ever
    // does in a native shape, where each of several segments holds hundreds of thousands.
    FilterShape shape = new FilterShape(16, 96_000, 7);
    check(List.of(measure(160_000, 0.01, shape, 2_000_000)), 0.01);
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
    if (!Boolean.getBoolean("bloomgate.rates.write")) {
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
   * <p>By fill, the allowance for sampling is nil. The standard deviation of f^k over filters is
   * about k sqrt(0.32 / m) of its mean, at most 0.8 for the smallest filters, and every row
   * averages over filters that hold 200,000 elements together. So the error of a ratio is about
   * 0.006, and every ratio here lies more than four times that under the limit.
   *
   * <p>By count, c false positives have a standard deviation of sqrt(c), hardly more for the
   * smallest filters, where many probes share one. Seven of them either way, plus ten for counts
   * near 0 where the Poisson distribution is skewed, are exceeded by fewer than one of 10^11
   * correct counts. All counts of one probability together then meet the promise themselves, with
   * the same allowance.
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
    return measure(n, p, scheme.shapeFor(n, p), probes);
  }

  private Measured measure(long n, double p, FilterShape shape, long probes) {
    return measure(scheme, n, p, shape, probes);
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

  /**
   * The mean of (X/m)^k, where X is the number of distinct bits that n k uniform throws into m bits
   * set: the distribution of X is built up throw by throw.
   */
  private static double exactRate(int n, FilterShape shape) {
    int m = Math.toIntExact(shape.segmentBits());
    int k = shape.numHashFunctions();
    double[] chance = new double[m + 1];
    chance[0] = 1;
    int most = 0;
    for (int i = 0; i < n * k; i++) {
      most = Math.min(most + 1, m);
      for (int x = most; x > 0; x--) {
        chance[x] = chance[x] * x / m + chance[x - 1] * (m - x + 1) / m;
      }
      chance[0] = 0;
    }
    double rate = 0;
    for (int x = 0; x <= m; x++) {
      rate += chance[x] * Math.pow((double) x / m, k);
    }
    return rate;
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
