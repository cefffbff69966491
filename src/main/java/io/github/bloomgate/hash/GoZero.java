package io.github.bloomgate.hash;

import java.util.Arrays;
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
    throw noSizingRule("20 bits per element according to the library");
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
  public boolean hasOneNumHashFunctions() {
    return true;
  }

  @Override
  public int numWords(int numHashFunctions) {
    return NUM_HASH_FUNCTIONS;
  }

  /** Bit i comes from hashing the element followed by the byte i. */
  @Override
  void hash(byte[] element, long[] words) {
    byte[] numbered = Arrays.copyOf(element, element.length + 1);
    long[] hash = new long[2];
    for (int i = 0; i < NUM_HASH_FUNCTIONS; i++) {
      numbered[element.length] = (byte) i;
      Murmur3.hash(numbered, hash);
      words[i] = hash[0];
    }
  }

  @Override
  void place(long[] words, int at, long m, int k, long[] positions) {
    for (int i = 0; i < k; i++) {
      positions[i] = Long.remainderUnsigned(words[at + i], m);
    }
  }
}
