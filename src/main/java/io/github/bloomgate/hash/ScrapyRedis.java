package io.github.bloomgate.hash;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** The scheme {@code scrapy-redis-bloomfilter}: the bits of ScrapyRedisBloomFilter. */
final class ScrapyRedis extends LibraryScheme {

  /** The library's default. */
  private static final int DEFAULT_HASH_FUNCTIONS = 6;

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
   * <p>Never rounded: the library is configured with the exponent, so any number but a power of two
   * is a mistake.
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
  public OptionalInt defaultNumHashFunctions() {
    return OptionalInt.of(DEFAULT_HASH_FUNCTIONS);
  }

  @Override
  public int numWords(int numHashFunctions) {
    return Math.max(2, numHashFunctions);
  }

  @Override
  void hash(byte[] element, long[] words) {
    Arrays.fill(words, 0);
    for (int codePoint : Utf8.decode(element).codePoints().toArray()) {
      for (int i = 0; i < words.length; i++) {
        words[i] = words[i] * (i + 1) + codePoint;
      }
    }
  }

  @Override
  void place(long[] words, int at, long m, int k, long[] positions) {
    for (int i = 0; i < k; i++) {
      positions[i] = words[at + i] & (m - 1);
    }
  }

  /**
   * For random elements like Scrapy's fingerprints. The sum adds nothing, because it is almost the
   * same for all.
   */
  @Override
  double expectedRate(long insertions, FilterShape shape) {
    int effective = shape.numHashFunctions() - 1;
    return effective == 0
        ? 1
        : Sizing.falsePositiveProbability(insertions, shape.bitSize(), effective);
  }

  /** Always present, because the rate depends heavily on the elements. */
  @Override
  public Optional<String> warning(
      long expectedInsertions, double falsePositiveProbability, FilterShape shape) {
    return Optional.of(
        String.format(
            Locale.ROOT,
            "The first hash function is the plain sum of the characters and hardly distinguishes"
                + " elements. With %d random elements of 40 hexadecimal digits the"
                + " false-positive rate is about %s; with short or similar elements it is far higher: up to 364 times in measurements of URLs that differ only in a number.",
            expectedInsertions,
            RateWarning.compared(
                expectedRate(expectedInsertions, shape), falsePositiveProbability)));
  }
}
