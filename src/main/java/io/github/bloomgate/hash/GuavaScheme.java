package io.github.bloomgate.hash;

import java.util.Optional;

/**
 * A strategy of Guava's {@code BloomFilter}. Shapes have whole 64-bit words, and the rule for k
 * changed in Guava 33.4.0.
 */
abstract sealed class GuavaScheme extends LibraryScheme permits GuavaMitz32, GuavaMitz64 {

  /** Guava's files hold k in one byte. */
  private static final int MAX_HASH_FUNCTIONS = 255;

  GuavaScheme(String id) {
    super(id, REDIS_LIMIT);
  }

  @Override
  public final FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    return shapeOf(
        LibrarySizing.bits(expectedInsertions, falsePositiveProbability),
        LibrarySizing.numHashFunctions(falsePositiveProbability));
  }

  /** Up to 33.3.1, k was computed from the number of bits before rounding up to words. */
  @Override
  public final Optional<FilterShape> formerShapeFor(
      long expectedInsertions, double falsePositiveProbability) {
    long bits = LibrarySizing.bits(expectedInsertions, falsePositiveProbability);
    int k = LibrarySizing.numHashFunctions(expectedInsertions, bits);
    return k == LibrarySizing.numHashFunctions(falsePositiveProbability)
        ? Optional.empty()
        : Optional.of(shapeOf(bits, k));
  }

  @Override
  public final FilterShape shapeOf(long bitSize, int numHashFunctions) {
    if (numHashFunctions > MAX_HASH_FUNCTIONS) {
      throw new ShapeLimitException(
          "A Guava filter has at most %d hash functions, not %d: send fewer numHashFunctions"
              .formatted(MAX_HASH_FUNCTIONS, numHashFunctions));
    }
    return super.shapeOf(LibrarySizing.wholeWords(bitSize), numHashFunctions);
  }
}
