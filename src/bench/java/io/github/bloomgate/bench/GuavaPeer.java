package io.github.bloomgate.bench;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.util.Arrays;

/** Guava's filter in this process, used by one thread, on lines of text in memory. */
final class GuavaPeer {

  private final BloomFilter<byte[]> filter;
  private long found;

  GuavaPeer(long expectedInsertions) {
    filter = BloomFilter.create(Funnels.byteArrayFunnel(), expectedInsertions, 0.01);
  }

  void put(byte[] lines) {
    var start = 0;
    for (var i = 0; i < lines.length; i++) {
      if (lines[i] == '\n') {
        filter.put(Arrays.copyOfRange(lines, start, i));
        start = i + 1;
      }
    }
  }

  void test(byte[] lines) {
    var start = 0;
    for (var i = 0; i < lines.length; i++) {
      if (lines[i] == '\n') {
        found += filter.mightContain(Arrays.copyOfRange(lines, start, i)) ? 1 : 0;
        start = i + 1;
      }
    }
  }

  /**
   * The number of tests that answered "maybe". Reading it keeps the tests from being optimized
   * away.
   */
  long found() {
    return found;
  }
}
