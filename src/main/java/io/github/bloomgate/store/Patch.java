package io.github.bloomgate.store;

import java.util.List;

/** Changes of a segment's bitmap and header, up to the position that the caller knows. */
public record Patch(KnownSegment known, List<Field> fields) {

  /** The most fields of a patch. Redis needs about a microsecond for each. */
  public static final int MAX_FIELDS = 1_900;

  /**
   * A number to write.
   *
   * @param offset of its first bit in the segment
   * @param bits its width, from 1 to 64
   */
  public record Field(long offset, int bits, long value) {

    /** The type for BITFIELD, which has no unsigned numbers of 64 bits. */
    String type() {
      return (bits == Long.SIZE ? "i" : "u") + bits;
    }
  }

  public Patch {
    var end = (long) Byte.SIZE * (known.layout().bitmapBytes() + known.layout().headerBytes());
    for (var field : fields) {
      if (field.offset < 0 || field.offset + field.bits > end) {
        throw new IllegalArgumentException("a field is after the header");
      }
    }
    if (fields.isEmpty() || fields.size() > MAX_FIELDS) {
      throw new IllegalArgumentException("%d fields in a patch".formatted(fields.size()));
    }
  }
}
