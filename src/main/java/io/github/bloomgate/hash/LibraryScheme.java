package io.github.bloomgate.hash;

import java.util.Arrays;
import java.util.Optional;

/**
 * The scheme of another library: one bitmap with exactly the bits the library sets. {@code
 * docs/hash-schemes.md} defines each.
 */
abstract sealed class LibraryScheme implements HashScheme
    permits BitsAndBlooms,
        GoZero,
        GuavaOnRedis,
        GuavaScheme,
        RedisBloom,
        Redisson,
        Rueidis,
        ScrapyRedis {

  /** The bits of the longest Redis string, 512 MiB. */
  static final long REDIS_LIMIT = 1L << 32;

  private final String id;
  private final long maxBits;

  LibraryScheme(String id, long maxBits) {
    this.id = id;
    this.maxBits = maxBits;
  }

  @Override
  public final String id() {
    return id;
  }

  @Override
  public FilterShape shapeOf(long bitSize, int numHashFunctions) {
    if (bitSize < 1) {
      throw new IllegalArgumentException(
          "A filter of the scheme %s cannot have %d bits; the minimum is 1: ask for more expectedInsertions or a lower falsePositiveProbability"
              .formatted(id, bitSize));
    }
    if (bitSize > maxBits) {
      throw new ShapeLimitException(
          "A filter of the scheme %s cannot have %d bits; the limit is %d: ask for fewer bits or expectedInsertions, or for a higher falsePositiveProbability"
              .formatted(id, bitSize, maxBits));
    }
    if (numHashFunctions < 1) {
      throw new IllegalArgumentException(
          "A filter of the scheme %s cannot have %d hash functions; the minimum is 1: ask for a lower falsePositiveProbability"
              .formatted(id, numHashFunctions));
    }
    return new FilterShape(1, bitSize, numHashFunctions);
  }

  @Override
  public final void hash(byte[] bytes, int start, int end, long[] words) {
    hash(start == 0 && end == bytes.length ? bytes : Arrays.copyOfRange(bytes, start, end), words);
  }

  /** Fills the words of an element. Most libraries use MurmurHash3. */
  void hash(byte[] element, long[] words) {
    Murmur3.hash(element, words);
  }

  @Override
  public final int place(long[] words, int at, FilterShape shape, long[] positions) {
    place(words, at, shape.segmentBits(), shape.numHashFunctions(), positions);
    return 0;
  }

  /**
   * Fills the first {@code k} positions with offsets below {@code m}: unless a library has another
   * rule, with an arithmetic progression of unsigned words.
   */
  void place(long[] words, int at, long m, int k, long[] positions) {
    long combined = words[at];
    for (int i = 0; i < k; i++) {
      positions[i] = Long.remainderUnsigned(combined, m);
      combined += words[at + 1];
    }
  }

  @Override
  public Optional<String> warning(
      long expectedInsertions, double falsePositiveProbability, FilterShape shape) {
    return RateWarning.of(
        expectedInsertions,
        falsePositiveProbability,
        expectedRate(expectedInsertions, shape),
        weakness(shape));
  }

  /** The false-positive rate at n elements, by a formula checked against measurements. */
  double expectedRate(long insertions, FilterShape shape) {
    return RateWarning.ideal(insertions, shape);
  }

  /** The reason for a higher rate than requested, in full sentences. */
  String weakness(FilterShape shape) {
    return "It has too few bits for this number of elements.";
  }

  final IllegalArgumentException noSizingRule(String advice) {
    return new IllegalArgumentException(
        "The scheme %s cannot compute bits from expectedInsertions and falsePositiveProbability: send bitSize, %s"
            .formatted(id, advice));
  }
}
