package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The formulas of {@link Sizing} compared with tables that can be checked by hand, with measured
 * rates, and at the ends of their ranges.
 */
class SizingTest {

  private static final long LARGEST_EXACT = 1L << 53;
  private static final int FILTERS = 2000;
  private static final int PROBES = 250;

  @ParameterizedTest
  @CsvSource({
    // With k = 1 the fill ratio is p itself: m = n / -ln(1 - p).
    "1000, 0.01, 1, 99500",
    "1000, 0.5, 1, 1443",
    // With k = 2 and p = 1/4 half of the bits are set: m = 2n / ln 2.
    "1000, 0.25, 2, 2886",
    // Near the optimal k, this is close to the formula without k, and never below it.
    "1000, 0.01, 7, 9593",
  })
  void bitSizeForGivenNumHashFunctions(long n, double p, int k, long m) {
    assertEquals(m, Sizing.bitSize(n, p, k));
  }

  @ParameterizedTest
  @CsvSource({
    "1443, 1, 0.5, 1000",
    "2886, 2, 0.25, 1000",
    "9593, 7, 0.01, 1000",
    "64, 7, 0.01, 6",
    "8, 7, 0.000001, 0",
  })
  void expectedInsertionsIsTheCapacityOfTheBits(long m, int k, double p, long n) {
    assertEquals(n, Sizing.expectedInsertions(m, k, p));
  }

  @Test
  void falsePositiveProbabilityKeepsItsDigitsInAlmostEmptyFilters() {
    // 1 - exp(-2^-60) would be 0; the fill ratio is 2^-60 to the last digit.
    assertEquals(0x1p-60, Sizing.falsePositiveProbability(1, 1L << 60, 1), 0x1p-100);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1000, 7, 0",
    "500, 1000, 1, 693", // -1000 ln(1/2)
    "500, 1000, 7, 99",
    "1, 1000, 1, 1",
    "999, 1000, 1, 6908", // -1000 ln(1/1000)
    "7, 1000000000000, 7, 1",
  })
  void approximateElementCountFollowsTheFormula(long bitsSet, long m, int k, long n) {
    assertEquals(OptionalLong.of(n), Sizing.approximateElementCount(bitsSet, m, k));
  }

  @Test
  void approximateElementCountIsEmptyWhenSaturated() {
    assertEquals(OptionalLong.empty(), Sizing.approximateElementCount(1000, 1000, 7));
    assertEquals(OptionalLong.empty(), Sizing.approximateElementCount(1, 1, 1));
  }

  @Test
  void formulasAgreeWithEachOther() {
    for (int k = 1; k <= 40; k++) {
      for (double p = 0.3; p > 1e-9; p /= 3) {
        for (long n = 10; n <= 100_000_000L; n *= 10) {
          String row = "n = %d, p = %s, k = %d".formatted(n, p, k);
          long m = Sizing.bitSize(n, p, k);
          assertTrue(Sizing.falsePositiveProbability(n, m, k) <= p * (1 + 1e-9), row);
          assertTrue(Sizing.falsePositiveProbability(n + n / 10 + 1, m, k) > p, row);
          long held = Sizing.expectedInsertions(m, k, p);
          // One bit more than needed may make room for a few elements more when k is small.
          assertTrue(held >= n - 1 && held <= n + 1 + Sizing.expectedInsertions(1, k, p), row);
          assertTrue(m >= Sizing.bitSize(n, p) * (1 - 1e-12), row);
        }
      }
    }
  }

  @Test
  void absurdArgumentsSaturateInsteadOfWrapping() {
    assertEquals(Long.MAX_VALUE, Sizing.bitSize(Long.MAX_VALUE, 1e-6));
    assertEquals(Long.MAX_VALUE, Sizing.bitSize(Long.MAX_VALUE, Double.MIN_VALUE));
    assertEquals(Long.MAX_VALUE, Sizing.bitSize(LARGEST_EXACT, Double.MIN_VALUE));
    assertEquals(Long.MAX_VALUE, Sizing.bitSize(1, Double.MIN_VALUE, 1));
    assertEquals(1, Sizing.bitSize(1, Math.nextDown(1.0)));
    assertEquals(1, Sizing.bitSize(1, Math.nextDown(1.0), 1));
    assertEquals(Integer.MAX_VALUE, Sizing.numHashFunctions(1, Long.MAX_VALUE));
    assertEquals(1, Sizing.numHashFunctions(Long.MAX_VALUE, 1));
    assertEquals(0, Sizing.expectedInsertions(1, Integer.MAX_VALUE, Double.MIN_VALUE));
    assertEquals(1.0, Sizing.falsePositiveProbability(Long.MAX_VALUE, 1, Integer.MAX_VALUE), 0.0);
    assertEquals(
        0.0,
        Sizing.falsePositiveProbability(1, Long.MAX_VALUE, Integer.MAX_VALUE),
        Double.MIN_VALUE);
  }

  @Test
  void largeCountsStayNearTheFormula() {
    // 2^53 elements at one in a million: 28.755 bits each.
    assertEquals(LARGEST_EXACT * 28.755175, (double) Sizing.bitSize(LARGEST_EXACT, 1e-6), 1e11);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.1, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
  void probabilitiesOutsideTheOpenIntervalAreRefused(double p) {
    assertThrows(IllegalArgumentException.class, () -> Sizing.bitSize(10, p));
    assertThrows(IllegalArgumentException.class, () -> Sizing.bitSize(10, p, 3));
    assertThrows(IllegalArgumentException.class, () -> Sizing.expectedInsertions(64, 3, p));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void countsBelowOneAreRefused(long zeroOrLess) {
    int none = (int) Math.max(zeroOrLess, Integer.MIN_VALUE);
    assertThrows(IllegalArgumentException.class, () -> Sizing.bitSize(zeroOrLess, 0.1));
    assertThrows(IllegalArgumentException.class, () -> Sizing.bitSize(zeroOrLess, 0.1, 1));
    assertThrows(IllegalArgumentException.class, () -> Sizing.bitSize(1, 0.1, none));
    assertThrows(IllegalArgumentException.class, () -> Sizing.numHashFunctions(zeroOrLess, 1));
    assertThrows(IllegalArgumentException.class, () -> Sizing.numHashFunctions(1, zeroOrLess));
    assertThrows(
        IllegalArgumentException.class, () -> Sizing.expectedInsertions(zeroOrLess, 1, 0.1));
    assertThrows(
        IllegalArgumentException.class, () -> Sizing.falsePositiveProbability(1, zeroOrLess, 1));
    assertThrows(
        IllegalArgumentException.class, () -> Sizing.approximateElementCount(0, zeroOrLess, 1));
  }

  @Test
  void impossibleNumbersOfBitsSetAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Sizing.approximateElementCount(-1, 64, 1));
    assertThrows(IllegalArgumentException.class, () -> Sizing.approximateElementCount(65, 64, 1));
    assertThrows(IllegalArgumentException.class, () -> Sizing.falsePositiveProbability(-1, 64, 1));
  }

  /** Shapes with a measurable rate. The last ones are optimal for few bits. */
  @ParameterizedTest
  @CsvSource({
    "1, 64, 255",
    "1, 128, 255",
    "2, 64, 40",
    "4, 64, 12",
    "10, 128, 12",
    "10, 192, 7",
    "30, 320, 7",
    "100, 960, 7",
    "6, 64, 7",
    "13, 192, 10"
  })
  void theMeanRateMatchesTheMeasuredOne(int n, int m, int k) {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var scheme = HashSchemes.nativeScheme();
    var filter = new RedisBitmaps(scheme, scheme.shapeOf(m, k));
    var element = new byte[16];
    var sum = 0.0;
    var squares = 0.0;
    for (var round = 0; round < FILTERS; round++) {
      filter.clear();
      for (var i = 0; i < n; i++) {
        random.nextBytes(element);
        filter.add(element);
      }
      var maybe = 0;
      for (var i = 0; i < PROBES; i++) {
        random.nextBytes(element);
        maybe += filter.mightContain(element) ? 1 : 0;
      }
      var rate = (double) maybe / PROBES;
      sum += rate;
      squares += rate * rate;
    }
    var measured = sum / FILTERS;
    var error = Math.sqrt(Math.max(0, squares / FILTERS - measured * measured) / FILTERS);

    var said = Sizing.meanFalsePositiveProbability(n, m, k);
    // Five standard errors, which one run in a million exceeds.
    assertEquals(measured, said, 5 * error + 5.0 / FILTERS / PROBES, "seed " + seed);
  }

  /** Another exact computation, which tracks the number of all bits that are set. */
  @ParameterizedTest
  @CsvSource({
    "1, 64, 1",
    "1, 64, 255",
    "2, 100, 7",
    "40, 64, 3",
    "34, 1750, 40",
    "7, 3776, 45",
    "19, 448, 228",
    "36, 448, 83"
  })
  void theExactMeanIsThatOfAllNumbersOfSetBits(int n, int m, int k) {
    var likely = new double[Math.min(k * n, m) + 1];
    likely[0] = 1;
    for (var hit = 0; hit < k * n; hit++) {
      for (var set = Math.min(hit + 1, likely.length - 1); set > 0; set--) {
        likely[set] = likely[set] * set / m + likely[set - 1] * (m - set + 1) / m;
      }
      likely[0] = 0;
    }
    var mean = 0.0;
    for (var set = 1; set < likely.length; set++) {
      mean += likely[set] * Math.pow((double) set / m, k);
    }
    assertEquals(mean, Sizing.exactMean(k * n, m, k), mean * 1e-12);
  }

  /** Where the exact computation ends, the approximation continues at the same value. */
  @ParameterizedTest
  @CsvSource({"8, 2048, 177", "60, 1440, 17", "170, 1632, 7", "45, 3700, 51"})
  void theApproximationMeetsTheExactMean(int n, int m, int k) {
    var below = Sizing.meanFalsePositiveProbability(n, m, k);
    var above = Sizing.meanFalsePositiveProbability(10L * n, 10L * m, k);
    var ideal = Sizing.falsePositiveProbability(n, m, k);

    // A filter ten times as large has a tenth of the excess.
    assertEquals(Math.log(below / ideal) / 10, Math.log(above / ideal), 0.02);
  }

  @ParameterizedTest
  @CsvSource({"1000000, 9585059, 7", "10000000, 287551752, 20", "100000000000, 68719476736, 1"})
  void largeFiltersHaveTheIdealRate(long n, long m, int k) {
    var ideal = Sizing.falsePositiveProbability(n, m, k);

    assertEquals(ideal, Sizing.meanFalsePositiveProbability(n, m, k), ideal * 1e-4);
  }
}
