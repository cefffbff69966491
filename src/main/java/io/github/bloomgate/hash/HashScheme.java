package io.github.bloomgate.hash;

/**
 * A frozen rule from an element's bytes to bit positions, with the sizing rule that belongs to it.
 *
 * <p>Implementations are stateless, thread-safe and allocate nothing in {@link #locate}. What a
 * scheme computes never changes once released: filters in Redis depend on it.
 */
public sealed interface HashScheme permits Bloomgate1 {

  /** The stable name under which filters store their scheme. */
  String id();

  /**
   * The shape for a number of elements at a false-positive probability.
   *
   * @param expectedInsertions n, at least 1
   * @param falsePositiveProbability p, in (0, 1)
   */
  FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability);

  /**
   * The shape for a number of bits, rounded up as the scheme requires.
   *
   * @param bitSize m of the whole filter, at least 1
   * @param numHashFunctions k, at least 1
   */
  FilterShape shapeOf(long bitSize, int numHashFunctions);

  /**
   * Computes where the bits of an element are.
   *
   * @param element the element's bytes
   * @param shape the filter's shape
   * @param positions filled from index 0 with {@code shape.numHashFunctions()} bit offsets within
   *     the segment, in the scheme's order, duplicates kept; must hold at least two values
   * @return the index of the segment, from 0
   */
  int locate(byte[] element, FilterShape shape, long[] positions);
}
