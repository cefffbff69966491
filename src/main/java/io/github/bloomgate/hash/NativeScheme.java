package io.github.bloomgate.hash;

/**
 * A scheme of this service. It computes two words of an element, and from these one well-mixed word
 * per bit in bitmaps of any shape, so an element is hashed once for all layers of a growing filter.
 * Frozen: {@code docs/hash-schemes.md} defines it byte by byte.
 */
public abstract sealed class NativeScheme implements HashScheme
    permits Bloomgate1, Bloomgate1Keyed {

  /* Plain double hashing, (h1 + i * h2) mod m, makes the k bits of an element a lattice: pairs of elements share whole progressions, and the false-positive rate of small filters rises above the promise. So each word of the progression goes through a 64-bit finaliser first. The bit is the high half of word * m instead of a remainder, which avoids a division, and its bias is negligible while m is far below 2^64.

  Word 0 chooses the segment and words 1 to k the bits, so the bits of the elements within one segment are as independent as in a filter of one segment. */

  /** Every bitmap is a whole number of 64-bit words, so it can be scanned and merged by words. */
  private static final int WORD_BITS = 64;

  /* The formula for M treats the fill ratio as constant. In a small filter it varies with the elements, and the average of fill^k exceeds average^k by about 0.11 (k - 1) / n of the rate. Another 0.24 / n comes from (1 - 1/m)^kn being below e^(-kn/m). For 10 elements at 4.6e-6, where rounding to words leaves no slack, the exact rate is 1.22 times p, and for some p it is above 1.1 up to 20 elements. One more bit lowers the rate by 0.48 / n, so about k/4 more bits compensate for any n. From 64 elements the excess is below 0.1 down to 10^-14, the rate of a ring of a window at 10^-12, and is ignored. */
  private static final int SMALL_FILTER = 64;

  /**
   * {@inheritDoc}
   *
   * <p>The bits and hash functions of {@link Sizing}, a few bits more for fewer than 64 elements,
   * rounded up as in {@link #shapeOf}.
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    long bitSize = Sizing.bitSize(expectedInsertions, falsePositiveProbability);
    int numHashFunctions = Sizing.numHashFunctions(expectedInsertions, bitSize);
    if (expectedInsertions < SMALL_FILTER) {
      bitSize += numHashFunctions / 4 + 1;
    }
    return shapeOf(bitSize, numHashFunctions);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Uses as few segments of at most {@link Sizing#MAX_SEGMENT_BITS} as possible, each rounded up
   * to a multiple of 64. The {@code bitSize} of a shape gives the same shape again.
   */
  @Override
  public FilterShape shapeOf(long bitSize, int numHashFunctions) {
    return FilterShape.cut(bitSize, WORD_BITS, Sizing.MAX_SEGMENT_BITS, numHashFunctions);
  }

  @Override
  public boolean isAdoptable() {
    return false;
  }

  @Override
  public int place(long[] words, int at, FilterShape shape, long[] positions) {
    long word = words[at];
    long step = words[at + 1];

    int segment = segment(shape, word);
    long segmentBits = shape.segmentBits();
    int k = shape.numHashFunctions();
    for (int i = 0; i < k; i++) {
      word += step;
      positions[i] = position(word, segmentBits);
    }
    return segment;
  }

  /** The segment of an element with this first word. */
  private static int segment(FilterShape shape, long word) {
    int segments = shape.segments();
    return segments == 1 ? 0 : (int) scale(mix64(word), segments);
  }

  /**
   * One bit of an element.
   *
   * @param word the element's first word plus its second word times the bit's number, from 1
   */
  public static long position(long word, long segmentBits) {
    return scale(mix64(word), segmentBits);
  }

  /** The finaliser of SplitMix64: variant 13 of David Stafford's "Better Bit Mixing". */
  private static long mix64(long z) {
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** The high 64 bits of the unsigned product, which lie in [0, bound). */
  private static long scale(long word, long bound) {
    // multiplyHigh reads the word as signed, so it is short by one bound if the top bit is set.
    return Math.multiplyHigh(word, bound) + (word >> 63 & bound);
  }
}
