package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.error.BloomException;
import java.util.List;

/** Reads the elements of a source once, in batches. Blocks. Not thread-safe. */
public interface SourceReader extends AutoCloseable {

  /**
   * The next elements, valid until the next call; empty only at the verified end.
   *
   * @throws BloomException SOURCE_UNREADABLE if the source fails, is cut short or contains an
   *     invalid element; STORE_UNAVAILABLE
   */
  List<byte[]> next();

  /** Makes a blocked {@link #next} on another thread fail. */
  @Override
  void close();
}
