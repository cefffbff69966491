package io.github.bloomgate.hash;

import java.util.OptionalLong;

/**
 * The formulas that connect a Bloom filter's number of elements n, false-positive probability p,
 * bits m and hash functions k.
 *
 * <p>Pure functions in double precision with {@link StrictMath}, so every machine computes the same
 * shape for a request. They are the textbook approximations for one bitmap with an ideal hash; each
 * scheme splits and rounds the bits by its own rule ({@link HashScheme#shapeFor}). Results too
 * large for their type saturate at its largest value.
 *
 * <p>n, m and k are at least 1, and p is between 0 and 1, both excluded. Other arguments throw
 * {@link IllegalArgumentException}.
 */
public final class Sizing {

  /** Bits of the largest segment of a native filter: 2^24, a bitmap of 2 MiB. */
  public static final long MAX_SEGMENT_BITS = 1L << 24;

  private static final int MAX_EXACT = 1 << 21;

  /** Smaller probabilities no longer change a result, and calculating with them takes long. */
  private static final double NEGLIGIBLE = 1e-290;

  private static final double LN_2 = StrictMath.log(2);

  private Sizing() {}

  /**
   * The bits that hold n elements at probability p with the best number of hash functions: {@code
   * ceil(-n ln p / (ln 2)^2)}.
   *
   * @return m, at least 1
   */
  public static long bitSize(long expectedInsertions, double falsePositiveProbability) {
    requirePositive(expectedInsertions, "expectedInsertions");
    requireProbability(falsePositiveProbability);
    // The cast saturates, as documented.
    return (long)
        Math.ceil(-expectedInsertions * StrictMath.log(falsePositiveProbability) / (LN_2 * LN_2));
  }

  /**
   * The bits that hold n elements at probability p with a given number of hash functions: {@code
   * ceil(-k n / ln(1 - p^(1/k)))}.
   *
   * @return m, at least 1
   */
  public static long bitSize(
      long expectedInsertions, double falsePositiveProbability, int numHashFunctions) {
    requirePositive(expectedInsertions, "expectedInsertions");
    requireProbability(falsePositiveProbability);
    requirePositive(numHashFunctions, "numHashFunctions");
    double perFunction = logOfZeroShare(falsePositiveProbability, numHashFunctions);
    return Math.max(
        1, (long) Math.ceil(-(double) numHashFunctions * expectedInsertions / perFunction));
  }

  /**
   * The number of hash functions with the lowest false-positive probability for n elements in m
   * bits: {@code max(1, round(m/n ln 2))}, halves rounded up.
   */
  public static int numHashFunctions(long expectedInsertions, long bitSize) {
    requirePositive(expectedInsertions, "expectedInsertions");
    requirePositive(bitSize, "bitSize");
    long best = Math.round((double) bitSize / expectedInsertions * LN_2);
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, best));
  }

  /**
   * The number of elements that m bits with k hash functions can hold within a false-positive
   * probability of p: {@code floor(-m/k ln(1 - p^(1/k)))}.
   *
   * @return n; 0 if even one element is too many
   */
  public static long expectedInsertions(
      long bitSize, int numHashFunctions, double falsePositiveProbability) {
    requirePositive(bitSize, "bitSize");
    requirePositive(numHashFunctions, "numHashFunctions");
    requireProbability(falsePositiveProbability);
    double perFunction = logOfZeroShare(falsePositiveProbability, numHashFunctions);
    return (long) Math.floor(-(double) bitSize / numHashFunctions * perFunction);
  }

  /**
   * The false-positive probability of m bits with k hash functions holding n elements: {@code (1 -
   * e^(-kn/m))^k}.
   *
   * @param insertions n, at least 0
   * @return p in [0, 1]; 0 for an empty filter, 1 for a saturated one
   */
  public static double falsePositiveProbability(
      long insertions, long bitSize, int numHashFunctions) {
    if (insertions < 0) {
      throw new IllegalArgumentException("insertions must not be negative: " + insertions);
    }
    requirePositive(bitSize, "bitSize");
    requirePositive(numHashFunctions, "numHashFunctions");
    // expm1 keeps the digits of a fill ratio near 0, where 1 - exp(x) would lose them all.
    double fillRatio = -StrictMath.expm1(-(double) numHashFunctions * insertions / bitSize);
    return StrictMath.pow(fillRatio, numHashFunctions);
  }

  /**
   * The false-positive probability of m bits with k hash functions holding n elements, averaged
   * over all sets of n elements. {@link #falsePositiveProbability} treats the fill ratio as
   * constant; in a small filter it varies, and the average of its power is higher than the power of
   * its average.
   *
   * <p>Exact if k n min(k n, m) is at most {@value #MAX_EXACT}; otherwise derived from the variance
   * of the fill ratio, with an error below a tenth even for k = 255.
   *
   * @param insertions n, at least 0
   */
  public static double meanFalsePositiveProbability(
      long insertions, long bitSize, int numHashFunctions) {
    double ideal = falsePositiveProbability(insertions, bitSize, numHashFunctions);
    double hits = (double) numHashFunctions * insertions;
    if (bitSize == 1 || ideal == 1) {
      return ideal;
    }
    return hits * Math.min(hits, (double) bitSize) <= MAX_EXACT
        ? exactMean((int) hits, (int) Math.min(Integer.MAX_VALUE, bitSize), numHashFunctions)
        : approximateMean(hits, (double) bitSize, numHashFunctions);
  }

  /**
   * Draws the k positions of a tested element first, then sets one bit after the other and tracks
   * the probability of each number of drawn positions that are still 0. That takes k steps for each
   * bit, while tracking all bits that are set would take hundreds.
   */
  static double exactMean(int hits, int bits, int numHashFunctions) {
    double[] likely = new double[Math.min(numHashFunctions, bits) + 1];
    likely[0] = 1;
    for (int draw = 0; draw < numHashFunctions; draw++) {
      for (int drawn = Math.min(draw + 1, likely.length - 1); drawn > 0; drawn--) {
        likely[drawn] =
            likely[drawn] * drawn / bits + likely[drawn - 1] * (bits - drawn + 1) / bits;
      }
      likely[0] = 0;
    }
    double[] leaves = new double[likely.length];
    for (int left = 0; left < likely.length; left++) {
      leaves[left] = (double) left / bits;
    }
    int most = likely.length - 1;
    for (int hit = 0; hit < hits; hit++) {
      for (int left = 0; left < most; left++) {
        likely[left] = likely[left] * (1 - leaves[left]) + likely[left + 1] * leaves[left + 1];
      }
      likely[most] *= 1 - leaves[most];
      while (most > 0 && likely[most] < NEGLIGIBLE) {
        most--;
      }
    }
    return Math.min(1, likely[0]);
  }

  private static double approximateMean(double hits, double bits, int numHashFunctions) {
    double zero = StrictMath.exp(hits * StrictMath.log1p(-1 / bits));
    double twoZero = StrictMath.exp(hits * StrictMath.log1p(-2 / bits));
    double variance =
        zero * zero * StrictMath.expm1(hits * StrictMath.log1p(-1 / ((bits - 1) * (bits - 1))))
            + (zero - twoZero) / bits;
    double spread = Math.max(0, variance) / ((1 - zero) * (1 - zero));
    double k = numHashFunctions;
    return Math.min(1, StrictMath.exp(k * StrictMath.log1p(-zero) + k * (k - 1) / 2 * spread));
  }

  /**
   * An estimate of how many distinct elements set X of m bits with k hash functions: {@code -m/k
   * ln(1 - X/m)}, rounded to the nearest.
   *
   * @param bitsSet X, from 0 to m
   * @return the estimate; empty if the filter is saturated (every bit set)
   */
  public static OptionalLong approximateElementCount(
      long bitsSet, long bitSize, int numHashFunctions) {
    requirePositive(bitSize, "bitSize");
    requirePositive(numHashFunctions, "numHashFunctions");
    if (bitsSet < 0 || bitsSet > bitSize) {
      throw new IllegalArgumentException(
          "bitsSet must be from 0 to bitSize (%d): %d".formatted(bitSize, bitsSet));
    }
    if (bitsSet == bitSize) {
      return OptionalLong.empty();
    }
    double zeroShare =
        bitsSet < bitSize / 2
            ? StrictMath.log1p(-(double) bitsSet / bitSize)
            : StrictMath.log((double) (bitSize - bitsSet) / bitSize);
    return OptionalLong.of(Math.round(-(double) bitSize / numHashFunctions * zeroShare));
  }

  /** A quotient, rounded up; the divisor is positive. */
  public static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }

  /** ln(1 - p^(1/k)): the logarithm of the share of zero bits. */
  private static double logOfZeroShare(double probability, int numHashFunctions) {
    double logOfFillRatio = StrictMath.log(probability) / numHashFunctions;
    // ln(1 - e^x) loses digits near either end; each form is exact where the other is not.
    return logOfFillRatio > -LN_2
        ? StrictMath.log(-StrictMath.expm1(logOfFillRatio))
        : StrictMath.log1p(-StrictMath.exp(logOfFillRatio));
  }

  private static void requirePositive(long value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + value);
    }
  }

  private static void requireProbability(double value) {
    // Refuses NaN too.
    if (!(value > 0 && value < 1)) {
      throw new IllegalArgumentException(
          "falsePositiveProbability must be between 0 and 1, both excluded: " + value);
    }
  }
}
