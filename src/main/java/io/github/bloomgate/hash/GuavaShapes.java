package io.github.bloomgate.hash;

import java.util.Optional;

/**
 * The shapes of Guava's filters: whole 64-bit words, and a rule for k that changed in Guava 33.4.0.
 */
final class GuavaShapes {

  /** Guava's files hold k in one byte. */
  private static final int MAX_HASH_FUNCTIONS = 255;

  private GuavaShapes() {}

  static FilterShape current(HashScheme scheme, long expectedInsertions, double p) {
    return scheme.shapeOf(
        LibrarySizing.bits(expectedInsertions, p), LibrarySizing.numHashFunctions(p));
  }

  /** Up to 33.3.1, k was computed from the number of bits before rounding up to words. */
  static Optional<FilterShape> former(HashScheme scheme, long expectedInsertions, double p) {
    long bits = LibrarySizing.bits(expectedInsertions, p);
    int k = LibrarySizing.numHashFunctions(expectedInsertions, bits);
    return k == LibrarySizing.numHashFunctions(p)
        ? Optional.empty()
        : Optional.of(scheme.shapeOf(bits, k));
  }

  static void checkNumHashFunctions(int numHashFunctions) {
    if (numHashFunctions > MAX_HASH_FUNCTIONS) {
      throw new ShapeLimitException(
          "A Guava filter has at most %d hash functions, not %d: send fewer numHashFunctions"
              .formatted(MAX_HASH_FUNCTIONS, numHashFunctions));
    }
  }
}
