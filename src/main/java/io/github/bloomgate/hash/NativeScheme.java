package io.github.bloomgate.hash;

/**
 * A scheme of this service. It computes two words of an element, and from these its positions in
 * bitmaps of any shape, so an element is hashed once for all layers of a growing filter.
 */
public sealed interface NativeScheme extends HashScheme permits Bloomgate1, Bloomgate1Keyed {

  /**
   * Computes the words of an element.
   *
   * @param start index of its first byte
   * @param end index after its last byte
   * @param words receives the words at indexes 0 and 1
   * @throws MissingKeyException if the scheme is keyed and its key is unknown
   */
  void hash(byte[] bytes, int start, int end, long[] words);

  /**
   * Replaces the words of an element by its positions.
   *
   * @param positions holds the words at indexes 0 and 1, and is filled as by {@link #locate}
   * @return the index of the segment, from 0
   */
  static int expand(FilterShape shape, long[] positions) {
    return Bloomgate1.expand(shape, positions);
  }

  /** The segment of an element with this first word. */
  static int segment(FilterShape shape, long word) {
    return Bloomgate1.segment(shape, word);
  }

  /**
   * One bit of an element.
   *
   * @param word the element's first word plus its second word times the bit's number, from 1
   */
  static long position(long word, long segmentBits) {
    return Bloomgate1.position(word, segmentBits);
  }

  @Override
  default boolean canGrow() {
    return true;
  }

  @Override
  default boolean isAdoptable() {
    return false;
  }

  @Override
  default boolean takesAnyBytes() {
    return true;
  }

  @Override
  default int locate(byte[] element, FilterShape shape, long[] positions) {
    return locate(element, 0, element.length, shape, positions);
  }

  @Override
  default int locate(byte[] bytes, int start, int end, FilterShape shape, long[] positions) {
    hash(bytes, start, end, positions);
    return expand(shape, positions);
  }
}
