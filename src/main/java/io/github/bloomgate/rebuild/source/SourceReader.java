package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.error.BloomException;
import java.util.List;

/** The elements of a source, read once from begin to end, in batches. Blocks. Not thread-safe. */
public interface SourceReader extends AutoCloseable {

  /**
   * The next elements; empty after the last, which is certain to be the last.
   *
   * @throws BloomException SOURCE_UNREADABLE if the source fails, is cut short or holds what is no
   *     element; STORE_UNAVAILABLE
   */
  List<byte[]> next();

  /** Ends the reading; one that waits in {@link #next} on another thread fails. */
  @Override
  void close();
}
