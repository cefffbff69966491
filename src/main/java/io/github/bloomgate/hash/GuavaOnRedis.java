package io.github.bloomgate.hash;

import java.util.Arrays;

/**
 * The schemes {@code guava-redis-helper} and {@code guava-redis-helper-once}: the bits of the class
 * {@code BloomFilterHelper} that many projects copied, whose funnel writes the string twice, or
 * once.
 */
final class GuavaOnRedis extends LibraryScheme {

  private final boolean twice;

  /**
   * @param twice whether the funnel writes the string twice
   */
  GuavaOnRedis(String id, boolean twice) {
    super(id, Integer.MAX_VALUE);
    this.twice = twice;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Guava's formula, not rounded to words. The class takes at most 2^31 - 1 bits, with fewer
   * hash functions to match; the probability is then not met.
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    long bits =
        Math.min(
            Integer.MAX_VALUE, LibrarySizing.bits(expectedInsertions, falsePositiveProbability));
    return shapeOf(bits, LibrarySizing.numHashFunctions(expectedInsertions, bits));
  }

  @Override
  void hash(byte[] element, long[] words) {
    byte[] written = element;
    if (twice) {
      written = Arrays.copyOf(element, 2 * element.length);
      System.arraycopy(element, 0, written, element.length, element.length);
    }
    Murmur3.hash(written, words);
  }

  @Override
  void place(long[] words, int at, long m, int k, long[] positions) {
    GuavaMitz32.expand(words[at], m, k, positions);
  }

  @Override
  double expectedRate(long insertions, FilterShape shape) {
    return RateWarning.ofThirtyOneBits(insertions, shape)
        + RateWarning.ofProgressions(2.5, insertions, shape);
  }

  @Override
  String weakness(FilterShape shape) {
    return shape.bitSize() == Integer.MAX_VALUE
        ? "The class uses at most 2147483647 bits, even if more are needed."
        : GuavaMitz32.weakness(shape, "The class");
  }
}
