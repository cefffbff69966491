package io.github.bloomgate.hash;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Measures false-positive rates by counting: filters are filled to their n, and elements that were
 * never added are tested until enough were answered "maybe".
 */
final class LibraryRates {

  /** Far enough apart that members and probes of a run never meet. */
  private static final long PROBES_FROM = 1L << 40;

  /** Small filters differ, so probes are spread over filters with so many elements together. */
  private static final long MEMBERS = 200_000;

  private final SplittableRandom random;
  private final long enough;
  private final long mostProbes;

  /**
   * @param enough false positives at which counting ends
   * @param mostProbes probes at which it ends as well
   */
  LibraryRates(long seed, long enough, long mostProbes) {
    this.random = new SplittableRandom(seed);
    this.enough = enough;
    this.mostProbes = mostProbes;
  }

  /** Consecutive 8-byte integers. */
  static byte[] number(long i) {
    return ByteBuffer.allocate(8).putLong(i).array();
  }

  /** What Scrapy's duplicate filter adds: 40 hexadecimal digits that look random. */
  static byte[] fingerprint(long i) {
    var digits = new SplittableRandom(i);
    return "%016x%016x%08x"
        .formatted(digits.nextLong(), digits.nextLong(), digits.nextInt())
        .getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] url(long i) {
    return "https://shop.example/item?id=%d".formatted(i).getBytes(StandardCharsets.US_ASCII);
  }

  Measured measure(HashScheme scheme, long n, FilterShape shape) {
    return measure(scheme, n, shape, LibraryRates::number);
  }

  Measured measure(HashScheme scheme, long n, FilterShape shape, LongFunction<byte[]> elements) {
    RedisBitmaps filter = new RedisBitmaps(scheme, shape);
    long filters = Math.max(1, MEMBERS / n);
    long nextMember = random.nextLong(PROBES_FROM);
    long nextProbe = nextMember + PROBES_FROM;
    long probes = 0;
    long falsePositives = 0;
    for (long i = 1; i <= filters; i++) {
      filter.clear();
      for (long j = 0; j < n; j++) {
        filter.add(elements.apply(nextMember++));
      }
      while (probes < mostProbes / filters * i && falsePositives * filters < enough * i) {
        probes++;
        if (filter.mightContain(elements.apply(nextProbe++))) {
          falsePositives++;
        }
      }
    }
    return new Measured(probes, falsePositives);
  }

  record Measured(long probes, long falsePositives) {

    double rate() {
      return (double) falsePositives / probes;
    }

    /** The rate by another, with as many digits as its error allows. */
    String ratio(double promised) {
      double ratio = rate() / promised;
      return String.format(
          Locale.ROOT, ratio >= 20 ? "%,.0f" : ratio >= 3 ? "%.1f" : "%.2f", ratio);
    }
  }
}
