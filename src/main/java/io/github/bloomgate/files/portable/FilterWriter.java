package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.Slice;
import java.io.IOException;

/**
 * Writes the file of one filter: all segments in order, the bytes of each in order, then {@link
 * #end}. Before that the file lacks its last bytes, so a writer that cannot finish just stops. Not
 * thread-safe; leaves the stream open. {@link FilterFiles} opens one.
 */
public interface FilterWriter {

  /**
   * Writes the next bytes of the current segment.
   *
   * @param bytes a whole number of blocks of 65,536 bytes, unless they are the segment's last
   */
  void write(byte[] bytes) throws IOException;

  /**
   * Tells where the current segment is in its window, of a filter that has one; behind its bytes,
   * which are its slices, the newest first.
   */
  default void newestSlice(Slice slice) throws IOException {
    throw new IllegalStateException("The filter has no window");
  }

  /** The bits set in the bytes of the current segment that were written so far. */
  long bitsSet();

  /**
   * Ends the current segment, which must be complete.
   *
   * @param insertions adds to it that changed a bit
   * @param snapshot whether its bytes are of one moment
   */
  void endSegment(long insertions, boolean snapshot) throws IOException;

  /** Ends the file after its last segment. */
  void end() throws IOException;
}
