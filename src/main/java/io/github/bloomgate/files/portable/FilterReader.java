package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterPlan;
import java.io.IOException;

/**
 * Reads the file of one filter and trusts nothing in it. Holds one block, whatever sizes the file
 * claims. All methods fail with CORRUPT_IMPORT if the file differs from {@code
 * docs/export-format.md}, and with the exceptions of the stream. Not thread-safe; does not close
 * the stream. Opened by {@link FileDescription}.
 */
public interface FilterReader {

  /** The parameters and layers of the filter. */
  FilterPlan plan();

  /**
   * Reads everything after the header, to the end of the stream. The sink must not use the content
   * before this returns: only then is the file known to be complete, as far as its format allows.
   */
  void read(FilterFileSink sink) throws IOException;
}
