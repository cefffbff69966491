package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import java.io.IOException;

/**
 * Reads the file of one filter and trusts nothing in it. It holds one block, whatever sizes the
 * file claims. All methods fail with CORRUPT_IMPORT where the file is not exactly what {@code
 * docs/export-format.md} says, and with what the stream fails with. Not thread-safe; leaves the
 * stream open. {@link FilterFiles} opens one.
 */
public interface FilterReader {

  /** What the filter was created with. */
  FilterParameters parameters();

  /** Likewise, with its layers. */
  default FilterPlan plan() {
    return FilterPlan.of(parameters());
  }

  /**
   * Reads all that follows the header, to the end of the stream. Once this returns, the file was
   * whole, as far as its format can tell, and the sink has all of it; until then the sink must keep
   * what it got to itself.
   */
  void read(FilterFileSink sink) throws IOException;
}
