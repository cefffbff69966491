package io.github.bloomgate.store;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.BitmapVersion;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.Slice;
import java.util.Arrays;
import java.util.Optional;

/**
 * Bytes of a segment's bitmap and what the segment counted at the same moment.
 *
 * @param bytes the bytes, bit 0 of the bitmap being the highest bit of byte 0
 * @param counts counts of the whole segment; the bits of an adopted one nobody counts
 * @param version of the whole bitmap
 * @param newest where the segment is in its window, if it was read with its slices in the order of
 *     their ages, the newest first
 */
public record SegmentBytes(
    byte[] bytes, SegmentCounts counts, BitmapVersion version, Optional<Slice> newest) {

  /** Bytes as they are. */
  public SegmentBytes(byte[] bytes, SegmentCounts counts, BitmapVersion version) {
    this(bytes, counts, version, Optional.empty());
  }

  /** A library's bitmap ends where its last bit is, or a few bits behind what the filter uses. */
  static byte[] inFull(byte[] bytes, int length, FilterShape shape, long offset) {
    var whole = Arrays.copyOf(bytes, length);
    var used = (int) (shape.segmentBits() % Byte.SIZE);
    if (used > 0 && offset + length == shape.segmentBytes()) {
      whole[length - 1] &= (byte) (0xff << (Byte.SIZE - used));
    }
    return whole;
  }
}
