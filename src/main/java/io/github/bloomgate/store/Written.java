package io.github.bloomgate.store;

import io.github.bloomgate.model.ContentId;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The segments of a generation that exist. All others are empty and have no key. Immutable. */
public final class Written {

  public static final Written NONE = new Written(new byte[0]);

  /** More than any filter needs, whose segments have more than 1 MiB if there are several. */
  private static final int MOST_BYTES = 1 << 10;

  private final byte[] bits;

  Written(byte[] bits) {
    this.bits = bits;
  }

  /**
   * The segments that a state lists.
   *
   * @throws IllegalArgumentException if there are more than in any filter
   */
  static Written of(byte[] bits) {
    if (bits.length > MOST_BYTES) {
      throw new IllegalArgumentException("the state lists impossible segments");
    }
    return new Written(bits);
  }

  public boolean contains(int index) {
    return index / Byte.SIZE < bits.length
        && (bits[index / Byte.SIZE] & (0x80 >> index % Byte.SIZE)) != 0;
  }

  /** Their indexes in ascending order. */
  public int[] indexes() {
    return IntStream.range(0, bits.length * Byte.SIZE).filter(this::contains).toArray();
  }

  /** The keys of these segments, in ascending order. */
  List<String> keys(ContentId content) {
    return Arrays.stream(indexes()).mapToObj(index -> Keys.segment(content, index)).toList();
  }

  /** The format of the state: bit i is segment i, from the highest bit of each byte. */
  byte[] bytes() {
    return bits.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Written its && Arrays.equals(bits, its.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bits);
  }

  @Override
  public String toString() {
    return Arrays.toString(indexes());
  }
}
