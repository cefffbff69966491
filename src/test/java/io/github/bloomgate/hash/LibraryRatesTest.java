package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The other schemes have their documented rates, and a warning where they exceed p. {@code
 * LibraryRatesTableTest} measures more, for the documentation.
 *
 * <p>The number of false positives has a binomial distribution with a small probability, so its
 * variance is its mean. Bounds are 5 standard deviations from the expected value.
 */
@Tag("slow")
class LibraryRatesTest {

  /** The formulas are fitted to filters of 100 elements or more. */
  private static final double FACTOR = 1.6;

  private final long seed = Long.getLong("test.seed", 1);
  private final LibraryRates rates = new LibraryRates(seed, 1_000, 700_000);

  /** The ratios from the documented table. */
  @ParameterizedTest
  @CsvSource({
    "guava-mitz-64, 100, 1e-4, 3.1",
    "guava-mitz-64, 100, 1e-5, 13.3",
    "guava-mitz-32, 100, 1e-4, 2.20",
    "guava-redis-helper, 100, 1e-4, 1.71",
    "guava-redis-helper-once, 100, 1e-5, 7.3",
    "redisson, 100, 1e-4, 2.54",
    "redisson, 100000, 1e-3, 1.93",
    "redisbloom, 100, 1e-4, 3.4",
    "redisbloom, 100, 1e-5, 14.0",
    "rueidisprob, 100, 1e-4, 2.67",
  })
  void theWarningNamesTheMeasuredRatio(String id, long n, double p, double ratio) {
    LibraryScheme scheme = scheme(id);
    FilterShape shape = scheme.shapeFor(n, p);
    assertDocumented(id, n, p, ratio);
    double formula = scheme.expectedRate(n, shape) / p;
    assertTrue(formula > ratio / FACTOR && formula < ratio * FACTOR, id + " " + formula);
    String warning = scheme.warning(n, p, shape).orElseThrow();
    assertTrue(
        warning.contains(
            (formula >= 10 ? "is about %.0f times" : "is about %.1f times").formatted(formula)),
        warning);
  }

  /** The smallest filters have more coincidences than the formulas include. */
  @ParameterizedTest
  @CsvSource({
    "guava-mitz-64, 10, 1e-5, 532, 384",
    "redisbloom, 10, 1e-5, 531, 384",
    "guava-redis-helper, 10, 1e-4, 8.3, 7.89",
    "bits-and-blooms, 10, 1e-4, 4.1, 3.09",
  })
  void theWarningForTheSmallestFiltersIsALowerBound(
      String id, long n, double p, double ratio, double formula) {
    LibraryScheme scheme = scheme(id);
    FilterShape shape = scheme.shapeFor(n, p);
    assertDocumented(id, n, p, ratio);
    assertEquals(formula, scheme.expectedRate(n, shape) / p, 0.01 * formula);
    String warning = scheme.warning(n, p, shape).orElseThrow();
    assertTrue(warning.contains("is at least about "), warning);
    assertTrue(warning.contains("may be several times that"), warning);
  }

  /** The bit size is a power of two, so some progressions repeat after a few positions. */
  @ParameterizedTest
  @CsvSource({
    "guava-mitz-64, 5, 0.01",
    "guava-mitz-64, 7, 0.003",
    "guava-mitz-64, 25, 0.01",
    "guava-mitz-64, 40, 0.003",
    "redisbloom, 5, 0.01",
    "redisbloom, 16, 0.003",
    "redisbloom, 25, 0.01",
    "redisbloom, 40, 0.003",
  })
  void aSmallFilterWorseThanPromisedHasAWarning(String id, long n, double p) {
    LibraryScheme scheme = scheme(id);
    FilterShape shape = scheme.shapeFor(n, p);
    var measured = rates.measure(scheme, n, shape);
    var ratio = measured.falsePositives() / (p * measured.probes());
    assertTrue(ratio > 1.15, "seed %d: %s %s".formatted(seed, id, measured));
    assertEquals(ratio, scheme.expectedRate(n, shape) / p, 0.3 * ratio);
    assertTrue(scheme.warning(n, p, shape).isPresent());
  }

  private void assertDocumented(String id, long n, double p, double ratio) {
    LibraryScheme scheme = scheme(id);
    var measured = rates.measure(scheme, n, scheme.shapeFor(n, p));
    double expected = ratio * p * measured.probes();
    // The table is measured too, with at least this number of probes.
    assertEquals(
        expected,
        (double) measured.falsePositives(),
        5 * Math.sqrt(2 * expected),
        "seed %d: %s %s".formatted(seed, id, measured));
  }

  /** Varies the powers of two that divide the bit size, with half of the bits set. */
  @ParameterizedTest
  @CsvSource({"4, 50001", "4, 50002", "5, 50003", "5, 50004", "6, 50001", "7, 50008", "8, 50006"})
  void theRateOfRedissonIsThatOfTheFormula(int k, long m) {
    LibraryScheme scheme = scheme("redisson");
    FilterShape shape = scheme.shapeOf(m, k);
    long n = Math.round(m * Math.log(2) / k);
    double expected = scheme.expectedRate(n, shape);
    var measured = rates.measure(scheme, n, shape);
    assertEquals(
        expected, measured.rate(), 0.05 * expected, "seed %d: %s".formatted(seed, measured));
    double ideal = RateWarning.ideal(n, shape);
    assertEquals(expected > 1.1 * ideal, scheme.warning(n, ideal, shape).isPresent());
  }

  @ParameterizedTest
  @CsvSource({
    "guava-mitz-64, 10000, 1e-3",
    "guava-mitz-32, 10000, 1e-3",
    "guava-redis-helper, 10000, 1e-3",
    "guava-redis-helper-once, 10000, 1e-3",
    "bits-and-blooms, 1000, 1e-3",
    "redisson, 10000, 0.1",
    "redisbloom, 10000, 1e-3",
    "redisbloom, 10000, 0.25",
    "rueidisprob, 10000, 1e-3",
  })
  void schemesWithoutAWarningKeepThePromise(String id, long n, double p) {
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
    var measured = rates.measure(scheme, 1_000, shape);
    double expected = 6.7e-5 * measured.probes();
    assertEquals(
        expected,
        (double) measured.falsePositives(),
        5 * Math.sqrt(expected),
        "seed %d: %s".formatted(seed, measured));
    assertEquals(Optional.empty(), scheme.warning(1_000, 6.7e-5, shape));
  }

  /** A small part of the bits is set, which is where the lost function matters most. */
  @Test
  void scrapyLosesOneFunctionToTheSum() {
    LibraryScheme scheme = scheme("scrapy-redis-bloomfilter");
    FilterShape shape = scheme.shapeOf(1 << 18, 6);
    long n = 12_000;
    double p = Sizing.falsePositiveProbability(n, 1 << 18, 6);
    var measured = rates.measure(scheme, n, shape, LibraryRates::fingerprint);
    double expected = scheme.expectedRate(n, shape) * measured.probes();
    String row = "seed %d: %s, expected %.0f".formatted(seed, measured, expected);
    double error = 5 * Math.sqrt(expected);
    assertTrue(expected - error > p * measured.probes(), row);
    assertTrue(measured.falsePositives() > expected - error, row);
    assertTrue(measured.falsePositives() < FACTOR * expected + error, row);
    String warning = scheme.warning(n, p, shape).orElseThrow();
    assertTrue(
        warning.contains("%.1f times".formatted(scheme.expectedRate(n, shape) / p)), warning);
  }

  @Test
  void theHelperWarnsOfTooFewBits() {
    LibraryScheme scheme = scheme("guava-redis-helper");
    FilterShape shape = scheme.shapeFor(300_000_000, 0.01);
    String warning = scheme.warning(300_000_000, 0.01, shape).orElseThrow();
    assertTrue(warning.contains("3.2 times") && warning.contains("2147483647"), warning);
  }

  /** If 31-bit positions are evenly spread, the formula for them is the ideal one. */
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
