package io.github.bloomgate.elements;

import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentFormat;
import java.util.Optional;

/**
 * Reads the content of a generation, while elements are added to it. The caller must check
 * afterwards that the filter has not been replaced. Blocks. Reading fails with FILTER_DAMAGED if
 * content is missing or malformed, and with FILTER_CHANGED or FILTER_NOT_FOUND if the filter has
 * new content.
 */
public sealed interface ContentReader permits SegmentReader, RawReader {

  /** The segments that may have elements, in ascending order, among those of all layers. */
  int[] indexes();

  /** The format of the copy of a segment. */
  SegmentFormat format(int index);

  /**
   * Reads a segment with its journal, as of some moment during this call; raw bits in parts, each
   * as of some moment. The caller must take twice the bytes of the segment from {@link
   * io.github.bloomgate.memory.MemoryBudget}, and close the copy.
   *
   * @return an empty copy if nothing was added to the segment
   */
  SegmentCopy read(int index);

  /**
   * Reads the marks of all segments, each as of some moment during this call, without their bits; 8
   * zero bytes for a segment to which nothing was added. Content with the same marks is the same.
   *
   * @return empty for raw bits, which have no marks
   */
  Optional<byte[]> marks();

  /**
   * Reads bytes of the first bitmap.
   *
   * @param count up to {@link io.github.bloomgate.store.RawStore#MAX_BYTES}
   */
  byte[] read(long from, int count);

  /**
   * The insertions in the first bitmap. Adds by other clients of a library are not counted, but
   * estimated from the bits.
   */
  long insertions(long bitsSet);
}
