package io.github.bloomgate.model.lines;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * Elements whose bytes are in one array, one after the other, so that there is no object for each.
 * As a list it hands out copies; who wants the bytes alone reads them in place.
 */
public final class PackedElements extends AbstractList<byte[]> implements RandomAccess {

  private final byte[] bytes;
  private final int[] bounds;
  private final int from;
  private final int size;

  /**
   * @param bounds of each element where its bytes begin and, exclusively, end
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

  /** The array that holds all elements; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where the bytes of an element begin. */
  public int start(int index) {
    return bounds[2 * (from + Objects.checkIndex(index, size))];
  }

  /** Where they end, exclusively. */
  public int end(int index) {
    return bounds[2 * (from + Objects.checkIndex(index, size)) + 1];
  }
}
