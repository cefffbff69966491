package io.github.bloomgate.hash;

import java.util.Optional;

/** The scheme {@code guava-mitz-32}: Guava's strategy {@code MURMUR128_MITZ_32}. */
final class GuavaMitz32 extends LibraryScheme {

  GuavaMitz32() {
    super("guava-mitz-32", REDIS_LIMIT);
  }

  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    return GuavaShapes.current(this, expectedInsertions, falsePositiveProbability);
  }

  @Override
  public Optional<FilterShape> formerShapeFor(
      long expectedInsertions, double falsePositiveProbability) {
    return GuavaShapes.former(this, expectedInsertions, falsePositiveProbability);
  }

  @Override
  public FilterShape shapeOf(long bitSize, int numHashFunctions) {
    GuavaShapes.checkNumHashFunctions(numHashFunctions);
    return super.shapeOf(GuavaShapes.roundUp(bitSize), numHashFunctions);
  }

  @Override
  void locate(byte[] element, long m, int k, long[] positions) {
    Murmur3.hash(element, 0, positions);
    expand(positions[0], m, k, positions);
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
}
