package io.github.bloomgate.files.portable;

/**
 * Receives the content of a file while it is read: for each segment its blocks in order, then its
 * insertions. The content is verified only at the end of the file. Ignores everything by default.
 */
public interface FilterFileSink {

  /**
   * A block with a valid checksum, in order.
   *
   * @param segment index of the segment
   * @param offset of the block's first byte in the bitmap; bit 0 is the highest bit of byte 0
   * @param buffer holds the bytes; reused after this returns
   * @param start index of the first byte in the buffer
   * @param length the number of bytes, from 1
   */
  default void block(int segment, long offset, byte[] buffer, int start, int length) {}

  /**
   * The rings of a segment with a window, after its blocks; not yet compared with them.
   *
   * @param newest the Redis time of the latest add, in milliseconds
   */
  default void rings(int segment, long newest, byte[] rings) {}

  /**
   * The end of a segment.
   *
   * @param insertions adds to it that changed a bit
   */
  default void endSegment(int segment, long insertions) {}
}
