package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.SegmentCounts;

/**
 * Takes the content of a file while it is read: the blocks of a segment in order, then its counts,
 * segment after segment. Whatever it is given is still to be confirmed by the end of the file.
 */
public interface FilterFileSink {

  /**
   * A block, its checksum and its place verified.
   *
   * @param segment index of the segment
   * @param offset of the block's first byte in the bitmap; bit 0 is the highest bit of byte 0
   * @param buffer holds the bytes; used again once this returns
   * @param start index of the first one in the buffer
   * @param length their number, from 1
   */
  void block(int segment, long offset, byte[] buffer, int start, int length);

  /**
   * The rings of a segment with a window, behind its blocks. Whether they are those of the blocks
   * shows when they are put together.
   *
   * @param newest the latest time of Redis at which an element came, in milliseconds
   */
  default void rings(int segment, long newest, byte[] rings) {}

  /**
   * The end of a segment.
   *
   * @param counts its counts, {@code bitsSet} verified by counting
   * @param snapshot whether its blocks are of one moment
   */
  void endSegment(int segment, SegmentCounts counts, boolean snapshot);
}
