package io.github.bloomgate.hash;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Measures false-positive rates by counting: filters are filled to their n, and elements that were
 * never added are tested until there are enough false positives.
 */
final class LibraryRates {

  /** Far enough apart that members and probes of a run never meet. */
  private static final long PROBES_FROM = 1L << 40;

  /** Small filters vary, so probes are spread over filters with this total of elements. */
  private static final long MEMBERS = 200_000;

  private final SplittableRandom random;
  private final long enough;
  private final long mostProbes;

  /**
   * @param enough false positives that an ideal hash would have
   * @param mostProbes how many probes at most, even if that is not enough
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

  /** Like the fingerprints of Scrapy's duplicate filter: 40 random hexadecimal digits. */
  static byte[] fingerprint(long i) {
    var digits = new SplittableRandom(i);
    byte[] bytes =
        ByteBuffer.allocate(20)
            .putLong(digits.nextLong())
            .putLong(digits.nextLong())
            .putInt(digits.nextInt())
            .array();
    return HexFormat.of().formatHex(bytes).getBytes(StandardCharsets.US_ASCII);
  }

  /** URLs that differ in a number, which is scattered below 10^9. */
  static byte[] url(long i) {
    long id = i % 999_999_937 * 48_271 % 999_999_937;
    return ("https://shop.example/item?id=" + id).getBytes(StandardCharsets.US_ASCII);
  }

  Measured measure(HashScheme scheme, long n, FilterShape shape) {
    return measure(scheme, n, shape, LibraryRates::number);
  }

  Measured measure(HashScheme scheme, long n, FilterShape shape, LongFunction<byte[]> elements) {
    RedisBitmaps filter = new RedisBitmaps(scheme, shape);
    long filters = Math.max(1, MEMBERS / n);
    long nextMember = random.nextLong(PROBES_FROM);
    long nextProbe = nextMember + PROBES_FROM;
    // Fixed in advance: stopping at a count would favour filters with few.
    double ideal = Sizing.falsePositiveProbability(n, shape.bitSize(), shape.numHashFunctions());
    long wanted = Math.min(mostProbes, (long) (enough / ideal));
    long probesEach = Math.max(100_000, wanted) / filters + 1;
    long falsePositives = 0;
    for (long i = 0; i < filters; i++) {
      filter.clear();
      for (long j = 0; j < n; j++) {
        filter.add(elements.apply(nextMember++));
      }
      for (long j = 0; j < probesEach; j++) {
        if (filter.mightContain(elements.apply(nextProbe++))) {
          falsePositives++;
        }
      }
    }
    return new Measured(probesEach * filters, falsePositives);
  }

  record Measured(long probes, long falsePositives) {

    double rate() {
      return (double) falsePositives / probes;
    }

    /** The ratio to another rate, with the digits that its error allows. */
    String ratio(double promised) {
      return digits(rate() / promised);
    }
  }

  static String digits(double ratio) {
    return String.format(Locale.ROOT, ratio >= 20 ? "%,.0f" : ratio >= 3 ? "%.1f" : "%.2f", ratio);
  }
}
