package io.github.bloomgate.hash;

import java.util.OptionalInt;

/** The scheme {@code go-zero}: the bits of go-zero's package {@code core/bloom}. */
final class GoZero extends LibraryScheme {

  private static final int NUM_HASH_FUNCTIONS = 14;

  GoZero() {
    super("go-zero", REDIS_LIMIT);
  }

  /**
   * The library has no such rule.
   *
   * @throws IllegalArgumentException always
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    throw noSizingRule(
        "20 bits an element (the library's advice) and %d".formatted(NUM_HASH_FUNCTIONS));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Any number of bits up to 2^32; k is always 14.
   */
  @Override
  public FilterShape shapeOf(long bitSize, int numHashFunctions) {
    if (numHashFunctions != NUM_HASH_FUNCTIONS) {
      throw new IllegalArgumentException(
          "The scheme go-zero always has %d hash functions, not %d: send numHashFunctions %d"
              .formatted(NUM_HASH_FUNCTIONS, numHashFunctions, NUM_HASH_FUNCTIONS));
    }
    return super.shapeOf(bitSize, numHashFunctions);
  }

  @Override
  public OptionalInt defaultNumHashFunctions() {
    return OptionalInt.of(NUM_HASH_FUNCTIONS);
  }

  @Override
  public int numWords(int numHashFunctions) {
    return NUM_HASH_FUNCTIONS;
  }

  @Override
  void hash(byte[] element, long[] words) {
    // Downwards, because each hash is left in the first two words, which come last.
    for (int i = NUM_HASH_FUNCTIONS - 1; i > 1; i--) {
      words[i] = word(element, i, words);
    }
    long second = word(element, 1, words);
    words[0] = word(element, 0, words);
    words[1] = second;
  }

  private static long word(byte[] element, int i, long[] words) {
    Murmur3.hashAppended(element, i, words);
    return words[0];
  }

  @Override
  void place(long[] words, int at, long m, int k, long[] positions) {
    for (int i = 0; i < k; i++) {
      positions[i] = Long.remainderUnsigned(words[at + i], m);
    }
  }
}
