package io.github.bloomgate.hash;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Optional;

/**
 * Warnings about schemes that exceed the requested false-positive rate, and formulas for the rates
 * of double hashing and short hashes. {@code src/test/resources/hash/library-rates.md} has the
 * formulas and compares them with measurements.
 */
final class RateWarning {

  private static final double TOLERANCE = 1.1;

  private static final double LONG_RATIO = 1_000_000;

  private static final MathContext SHOWN = new MathContext(4);

  /** The formulas are fitted to filters of at least this many elements; below, they are too low. */
  private static final long FEW_ELEMENTS = 100;

  /** The values of a 32-bit hash after it is made positive. */
  private static final double THIRTY_ONE_BITS = 0x1p31;

  private RateWarning() {}

  /**
   * Returns a warning if the expected rate is more than 1.1 times the requested one.
   *
   * @param reason a full sentence
   */
  static Optional<String> of(
      long expectedInsertions, double promised, double expected, String reason) {
    double capped = Math.min(1, expected);
    if (capped <= TOLERANCE * promised) {
      return Optional.empty();
    }
    boolean isTiny = expectedInsertions < FEW_ELEMENTS;
    return Optional.of(
        String.format(
            Locale.ROOT,
            "With %d elements the false-positive rate is %s %s%s. %s",
            expectedInsertions,
            isTiny ? "at least about" : "about",
            compared(capped, promised),
            isTiny ? ", and in so small a filter it may be several times that" : "",
            reason));
  }

  /**
   * Compares a rate with the requested one: as a multiple, if that is short enough to read. A rate
   * below the smallest double is 0, and has no multiples.
   */
  static String compared(double rate, double promised) {
    double ratio = rate == promised ? 1 : rate / promised;
    // 0.0001 instead of 1.0E-4, and few digits of a rate that was computed.
    var requested = new BigDecimal(promised, SHOWN).stripTrailingZeros();
    return ratio < LONG_RATIO
        ? String.format(
            Locale.ROOT,
            ratio >= 10 ? "%.0f times the requested %s" : "%.1f times the requested %s",
            ratio,
            requested)
        : String.format(Locale.ROOT, "%.1E instead of the requested %s", rate, requested);
  }

  static double ideal(long insertions, FilterShape shape) {
    return Sizing.falsePositiveProbability(insertions, shape.bitSize(), shape.numHashFunctions());
  }

  /**
   * The rate if positions are 31-bit numbers modulo m. The first {@code 2^31 mod m} bits are used
   * once more often than the others, and bits from 2^31 never.
   */
  static double ofThirtyOneBits(long insertions, FilterShape shape) {
    double m = shape.bitSize();
    int k = shape.numHashFunctions();
    double rounds = Math.floor(THIRTY_ONE_BITS / m);
    double extra = THIRTY_ONE_BITS - rounds * m;
    double load = (double) k * insertions / THIRTY_ONE_BITS;
    double often = extra * (rounds + 1) / THIRTY_ONE_BITS * -Math.expm1(-load * (rounds + 1));
    double seldom = (m - extra) * rounds / THIRTY_ONE_BITS * -Math.expm1(-load * rounds);
    return Math.pow(often + seldom, k);
  }

  /**
   * The rate that double hashing adds: a probe with the same steps as a member, forwards or
   * backwards, shares most of its bits. There are m^2 progressions, and each member spoils a few.
   *
   * @param spoilt the measured number that each member spoils
   */
  static double ofProgressions(double spoilt, long insertions, FilterShape shape) {
    double m = shape.bitSize();
    return spoilt * insertions / m / m;
  }

  /**
   * The same for progressions of 64-bit words. If m is a power of two, these wrap at a multiple of
   * it, and one with a step that is a multiple of m, m/2, m/4, ... has only 1, 2, 4, ... bits.
   */
  static double ofLongProgressions(double spoilt, long insertions, FilterShape shape) {
    long m = shape.bitSize();
    if (Long.bitCount(m) != 1) {
      return ofProgressions(spoilt, insertions, shape);
    }
    int k = shape.numHashFunctions();
    double fill = -Math.expm1(-(double) k * insertions / m);
    double rate = ofProgressions(spoilt / 2, insertions, shape);
    for (int bits = 1; bits < k && bits <= m; bits *= 2) {
      double steps = Math.max(1, bits / 2);
      rate += steps / m * Math.pow(fill, bits);
    }
    return rate;
  }

  static String doubleHashing(String library) {
    return library
        + " derives all positions of an element from two numbers, so positions of different"
        + " elements often coincide in a small filter.";
  }
}
