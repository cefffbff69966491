package io.github.bloomgate.store;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Draws the marks that changes of a bitmap leave, see {@link
 * io.github.bloomgate.filter.BitmapVersion}: SplitMix64 from a random start with a random stride,
 * as drawing each at random would take as long as much else of an add. No two draws of an instance
 * are equal. Thread-safe.
 */
final class Marks {

  private final AtomicLong state;
  private final long stride;

  Marks() {
    var random = new SecureRandom();
    state = new AtomicLong(random.nextLong());
    stride = random.nextLong() | 1;
  }

  /** The next mark: 16 hexadecimal digits. */
  String next() {
    var z = state.getAndAdd(stride);
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return HexFormat.of().toHexDigits(z ^ (z >>> 31));
  }
}
