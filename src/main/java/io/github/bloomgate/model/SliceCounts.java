package io.github.bloomgate.model;

import java.util.List;

/**
 * What one segment of a filter with a {@link Window} remembers.
 *
 * @param now the number of the slice that it is
 * @param bitsSet bits that are 1, of the slice that it is and each one before that is remembered
 */
public record SliceCounts(long now, List<Long> bitsSet) {

  /** Bits that are 1 in all of them. */
  public long sum() {
    return bitsSet.stream().mapToLong(Long::longValue).sum();
  }
}
