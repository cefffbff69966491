package io.github.bloomgate.hash;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Measures false-positive rates by counting: fills filters to n, and tests elements that were never
 * added until there are enough false positives.
 */
final class LibraryRates {

  /** Far enough apart that members and probes of a run never overlap. */
  private static final long PROBES_FROM = 1L << 40;

  /** Small filters vary, so probes are spread over filters with this many elements in total. */
  private static final long MEMBERS = 200_000;

  private final SplittableRandom random;
  private final long enough;
  private final long mostProbes;

  /**
   * @param enough the number of false positives to expect from an ideal hash
   * @param mostProbes the limit of probes, even if false positives are too few
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

  /** URLs that differ in a scattered number below 10^9. */
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
    // The number of probes is fixed in advance, because stopping at a count would favor filters
    // with few false positives.
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

    /** The ratio to another rate, with as many digits as its error allows. */
    String ratio(double promised) {
      return digits(rate() / promised);
    }
  }

  static String digits(double ratio) {
    return String.format(Locale.ROOT, ratio >= 20 ? "%,.0f" : ratio >= 3 ? "%.1f" : "%.2f", ratio);
  }
}
