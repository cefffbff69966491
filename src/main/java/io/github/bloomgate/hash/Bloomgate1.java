package io.github.bloomgate.hash;

/** The native scheme {@code bloomgate-1}. */
final class Bloomgate1 implements HashScheme {

  @Override
  public String id() {
    return "bloomgate-1";
  }

  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FilterShape shapeOf(long bitSize, int numHashFunctions) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int locate(byte[] element, FilterShape shape, long[] positions) {
    throw new UnsupportedOperationException();
  }
}
