package io.github.bloomgate.hash;

import java.util.Arrays;

/** The scheme {@code scrapy-redis-bloomfilter}: the bits of ScrapyRedisBloomFilter. */
final class ScrapyRedis extends LibraryScheme {

  ScrapyRedis() {
    super("scrapy-redis-bloomfilter", REDIS_LIMIT);
  }

  /**
   * The library has no such rule.
   *
   * @throws IllegalArgumentException always
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    throw noSizingRule("by default 2^30 and 6");
  }

  /**
   * {@inheritDoc}
   *
   * <p>Never rounded: the library is configured with the exponent, so another number than a power
   * of two is a mistake.
   */
  @Override
  public FilterShape shapeOf(long bitSize, int numHashFunctions) {
    FilterShape shape = super.shapeOf(bitSize, numHashFunctions);
    if (Long.bitCount(bitSize) != 1) {
      throw new IllegalArgumentException(
          "The bits of a filter of the scheme %s are a power of two, not %d: send bitSize %d or %d"
              .formatted(
                  id(), bitSize, Long.highestOneBit(bitSize), Long.highestOneBit(bitSize) << 1));
    }
    return shape;
  }

  @Override
  void locate(byte[] element, long m, int k, long[] positions) {
    Arrays.fill(positions, 0, k, 0);
    for (int at = 0; at < element.length; ) {
      int codePoint = Utf8.codePoint(element, at);
      for (int i = 0; i < k; i++) {
        positions[i] = positions[i] * (i + 1) + codePoint;
      }
      at += Utf8.length(codePoint);
    }
    for (int i = 0; i < k; i++) {
      positions[i] &= m - 1;
    }
  }
}
