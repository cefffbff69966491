package io.github.bloomgate.journal;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Draws the marks that changes of a segment leave, 16 hexadecimal digits: two histories of a
 * segment have none in common, whatever was restored, promoted or swapped. SplitMix64 from a random
 * start with a random stride, as drawing each at random would take as long as much else of an add.
 * No two draws of an instance are equal. Thread-safe.
 */
public final class Marks {

  private final AtomicLong state;
  private final long stride;

  /** Draws from a start of its own. */
  public Marks() {
    var random = new SecureRandom();
    state = new AtomicLong(random.nextLong());
    stride = random.nextLong() | 1;
  }

  /** The next mark: 16 hexadecimal digits. */
  public String next() {
    var z = state.getAndAdd(stride);
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return HexFormat.of().toHexDigits(z ^ (z >>> 31));
  }
}
