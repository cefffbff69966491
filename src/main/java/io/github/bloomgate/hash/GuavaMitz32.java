package io.github.bloomgate.hash;

/** The scheme {@code guava-mitz-32}: Guava's strategy {@code MURMUR128_MITZ_32}. */
final class GuavaMitz32 extends GuavaScheme {

  /** From this many bits, the uneven use of 31-bit hashes is measurable. */
  private static final long MANY_BITS = 1L << 28;

  GuavaMitz32() {
    super("guava-mitz-32");
  }

  @Override
  void place(long[] words, int at, long m, int k, long[] positions) {
    expand(words[at], m, k, positions);
  }

  /** Positions from the two halves of one hash word, in arithmetic that wraps at 32 bits. */
  static void expand(long word, long m, int k, long[] positions) {
    int combined = (int) word;
    int step = (int) (word >>> 32);
    for (int i = 0; i < k; i++) {
      combined += step;
      positions[i] = (combined < 0 ? ~combined : combined) % m;
    }
  }

  @Override
  double expectedRate(long insertions, FilterShape shape) {
    return RateWarning.ofThirtyOneBits(insertions, shape)
        + RateWarning.ofProgressions(3.5, insertions, shape);
  }

  @Override
  String weakness(FilterShape shape) {
    return weakness(shape, "Guava");
  }

  static String weakness(FilterShape shape, String library) {
    return shape.bitSize() < MANY_BITS
        ? RateWarning.doubleHashing(library)
        : library
            + " takes numbers of 31 bits modulo the number of bits, so in a large filter some bits"
            + " are used more often than others, or never.";
  }
}
