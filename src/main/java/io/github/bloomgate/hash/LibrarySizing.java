package io.github.bloomgate.hash;

/**
 * The sizing formulas of Guava and the libraries that copied them: bits are truncated, not rounded
 * up, and k is rounded to the nearest.
 */
final class LibrarySizing {

  private static final double LN_2 = StrictMath.log(2);
  private static final int WORD_BITS = 64;

  private LibrarySizing() {}

  /**
   * {@code trunc(-n ln p / (ln 2 * ln 2))}, saturating. A p of 0 counts as the smallest positive
   * double.
   *
   * @return 0 if p is too high for even one bit
   */
  static long bits(long expectedInsertions, double falsePositiveProbability) {
    double p = falsePositiveProbability == 0 ? Double.MIN_VALUE : falsePositiveProbability;
    return (long) (-expectedInsertions * StrictMath.log(p) / (LN_2 * LN_2));
  }

  /** {@code max(1, round(m/n ln 2))}. */
  static int numHashFunctions(long expectedInsertions, long bits) {
    return (int) Math.max(1, Math.round((double) bits / expectedInsertions * LN_2));
  }

  /** {@code max(1, round(-ln p / ln 2))}. */
  static int numHashFunctions(double falsePositiveProbability) {
    return (int) Math.max(1, Math.round(-StrictMath.log(falsePositiveProbability) / LN_2));
  }

  /** Rounds bits up to a multiple of 64; an invalid number is returned unchanged. */
  static long wholeWords(long bits) {
    return bits < 1 || bits > Long.MAX_VALUE - WORD_BITS
        ? bits
        : (bits + WORD_BITS - 1) / WORD_BITS * WORD_BITS;
  }
}
