package io.github.bloomgate.lines;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * Elements stored in one array, to avoid an object for each. The list returns copies; use {@link
 * #bytes} to read them in place.
 */
public final class PackedElements extends AbstractList<byte[]> implements RandomAccess {

  private final byte[] bytes;
  private final int[] bounds;
  private final int from;
  private final int size;

  /**
   * @param bounds start and exclusive end of each element
   */
  PackedElements(byte[] bytes, int[] bounds, int from, int size) {
    this.bytes = bytes;
    this.bounds = bounds;
    this.from = from;
    this.size = size;
  }

  @Override
  public byte[] get(int index) {
    return Arrays.copyOfRange(bytes, start(index), end(index));
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public List<byte[]> subList(int first, int end) {
    Objects.checkFromToIndex(first, end, size);
    return new PackedElements(bytes, bounds, from + first, end - first);
  }

  /** The bytes of all elements together, packed or not. */
  public static long bytesOf(List<byte[]> elements) {
    var bytes = 0L;
    for (var i = 0; i < elements.size(); i++) {
      bytes +=
          elements instanceof PackedElements packed
              ? packed.end(i) - packed.start(i)
              : elements.get(i).length;
    }
    return bytes;
  }

  /** The array of all elements; do not modify. */
  public byte[] bytes() {
    return bytes;
  }

  /** The start of an element in {@link #bytes}. */
  public int start(int index) {
    return bounds[2 * (from + Objects.checkIndex(index, size))];
  }

  /** The end of an element in {@link #bytes}, exclusive. */
  public int end(int index) {
    return bounds[2 * (from + Objects.checkIndex(index, size)) + 1];
  }
}
