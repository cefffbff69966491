package io.github.bloomgate.files.portable;

import java.io.IOException;

/**
 * Writes the file of one filter: all segments in order, the bytes of each in order, then {@link
 * #end}. Before that the file lacks its last bytes, so a failed export needs no cleanup. Not
 * thread-safe; does not close the stream. Opened by {@link FileFormat}.
 */
public interface FilterWriter {

  /**
   * Writes the next bytes of the current segment.
   *
   * @param bytes a whole number of blocks of 65,536 bytes, unless they are the segment's last
   */
  void write(byte[] bytes) throws IOException;

  /**
   * Writes the rings of the current segment of a filter with a window, after its bytes.
   *
   * @param newest the Redis time of the latest add, in milliseconds
   * @param rings from the segment's header
   */
  default void rings(long newest, byte[] rings) throws IOException {
    throw new IllegalStateException("The filter has no window");
  }

  /** The bits set in the bytes written so far of the current segment. */
  long bitsSet();

  /**
   * Ends the current segment, which must be complete.
   *
   * @param insertions adds to it that changed a bit
   * @param snapshot whether its bytes are from one moment
   */
  void endSegment(long insertions, boolean snapshot) throws IOException;

  /** Ends the file after its last segment. */
  void end() throws IOException;
}
