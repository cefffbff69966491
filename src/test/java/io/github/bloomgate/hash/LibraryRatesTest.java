package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a description says of a scheme that breaks the promised rate is what is measured; {@code
 * LibraryRatesTableTest} measures more, for the documentation.
 */
class LibraryRatesTest {

  /** The formulas are fitted, and the smallest filters do worse than they say. */
  private static final double FACTOR = 1.6;

  private final long seed = Long.getLong("bloomgate.seed", System.nanoTime());
  private final LibraryRates rates = new LibraryRates(seed, 1_000, 5_000_000);

  @ParameterizedTest
  @CsvSource({
    "guava-mitz-64, 100, 1e-4, 3.1",
    "guava-mitz-64, 100, 1e-5, 13",
    "guava-mitz-32, 100, 1e-4, 2.1",
    "guava-redis-helper, 100, 1e-4, 1.6",
    "guava-redis-helper-once, 100, 1e-5, 7",
    "bits-and-blooms, 10, 1e-4, 4.1",
    "redisson, 100, 1e-4, 2.5",
    "redisson, 100000, 1e-3, 1.6",
  })
  void theWarningNamesTheMeasuredRatio(String id, long n, double p, double ratio) {
    LibraryScheme scheme = scheme(id);
    FilterShape shape = scheme.shapeFor(n, p);
    double measured = rates.measure(scheme, n, shape).rate() / p;
    double expected = scheme.expectedRate(n, shape) / p;
    String row = "seed %d: %s measured %.2f, expected %.2f".formatted(seed, id, measured, expected);
    assertTrue(measured > ratio / 1.4 && measured < ratio * 1.4, row);
    assertTrue(expected > measured / FACTOR && expected < measured * FACTOR, row);
    String warning = scheme.warning(n, p, shape).orElseThrow();
    assertTrue(
        warning.contains((expected >= 10 ? "%.0f times" : "%.1f times").formatted(expected)),
        warning);
  }

  @ParameterizedTest
  @CsvSource({
    "guava-mitz-64, 10000, 1e-3",
    "guava-mitz-32, 10000, 1e-3",
    "guava-redis-helper, 10000, 1e-3",
    "guava-redis-helper-once, 10000, 1e-3",
    "bits-and-blooms, 1000, 1e-3",
    "redisson, 10000, 0.1",
  })
  void whereNothingIsSaidThePromiseHolds(String id, long n, double p) {
    LibraryScheme scheme = scheme(id);
    FilterShape shape = scheme.shapeFor(n, p);
    assertEquals(Optional.empty(), scheme.warning(n, p, shape));
    var measured = rates.measure(scheme, n, shape);
    double promised = 1.1 * p * measured.probes();
    assertTrue(
        measured.falsePositives() <= promised + 5 * Math.sqrt(promised),
        "seed %d: %s %s".formatted(seed, id, measured));
  }

  @Test
  void goZeroHasTheRateItsDocumentationStates() {
    LibraryScheme scheme = scheme("go-zero");
    FilterShape shape = scheme.shapeOf(20_000, 14);
    var measured = new LibraryRates(seed, 300, 10_000_000).measure(scheme, 1_000, shape);
    assertEquals(6.7e-5, measured.rate(), 2.5e-5, "seed " + seed);
    assertEquals(Optional.empty(), scheme.warning(1_000, 6.7e-5, shape));
  }

  /** Few bits of many are set here, where the lost function weighs most. */
  @Test
  void scrapyLosesOneFunctionToTheSum() {
    LibraryScheme scheme = scheme("scrapy-redis-bloomfilter");
    FilterShape shape = scheme.shapeOf(1 << 18, 6);
    long n = 20_000;
    double p = Sizing.falsePositiveProbability(n, 1 << 18, 6);
    double measured = rates.measure(scheme, n, shape, LibraryRates::fingerprint).rate() / p;
    double expected = scheme.expectedRate(n, shape) / p;
    assertTrue(measured > 1.3 && measured < FACTOR * expected, "seed " + seed + ": " + measured);
    String warning = scheme.warning(n, p, shape).orElseThrow();
    assertTrue(warning.contains("%.1f times".formatted(expected)), warning);
  }

  @Test
  void theHelperSaysThatItHasTooFewBits() {
    LibraryScheme scheme = scheme("guava-redis-helper");
    FilterShape shape = scheme.shapeFor(300_000_000, 0.01);
    String warning = scheme.warning(300_000_000, 0.01, shape).orElseThrow();
    assertTrue(warning.contains("3.2 times") && warning.contains("2147483647"), warning);
  }

  /** The formula for 31-bit positions is the ideal one where they are spread evenly. */
  @Test
  void thirtyOneBitsAreEnoughForPowersOfTwo() {
    for (int bit = 6; bit <= 31; bit++) {
      FilterShape shape = new FilterShape(1, 1L << bit, 7);
      long n = (1L << bit) / 10;
      assertEquals(
          RateWarning.ideal(n, shape),
          RateWarning.ofThirtyOneBits(n, shape),
          1e-12,
          shape::toString);
    }
    FilterShape twice = new FilterShape(1, 1L << 32, 7);
    FilterShape once = new FilterShape(1, 1L << 31, 7);
    assertEquals(
        RateWarning.ideal(200_000_000, once),
        RateWarning.ofThirtyOneBits(200_000_000, twice),
        1e-12);
  }

  private static LibraryScheme scheme(String id) {
    return (LibraryScheme) HashSchemes.named(id).orElseThrow();
  }
}
