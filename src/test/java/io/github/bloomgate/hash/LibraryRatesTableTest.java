package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures the rates in {@code library-rates.md} again. The seed is fixed, so they must be the
 * same. {@code -Dtest.write-rates=true} writes them.
 */
@Tag("long")
class LibraryRatesTableTest {

  private static final Path PAGE = Path.of("src/test/resources/hash/library-rates.md");
  private static final long[] SIZES = {10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final double[] PROBABILITIES = {0.01, 1e-3, 1e-4, 1e-5};

  private final long seed = Long.getLong("test.seed", 1);
  private final LibraryRates rates = new LibraryRates(seed, 1_000, 20_000_000);

  /** Each scheme at its own size. */
  @Test
  void bySize() throws IOException {
    var table =
        new StringBuilder(
                "| scheme | p | n = 10 | formula | 100 | formula | 1,000 | 10^4 | 10^5 | 10^6 |\n")
            .append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (String id :
        List.of(
            "guava-mitz-64",
            "guava-mitz-32",
            "guava-redis-helper",
            "guava-redis-helper-once",
            "bits-and-blooms",
            "redisson")) {
      bySize(table, id);
    }
    LibraryScheme goZero = (LibraryScheme) HashSchemes.named("go-zero").orElseThrow();
    double p = Sizing.falsePositiveProbability(1_000_000, 20_000_000, 14);
    table.append("| go-zero, m = 20 n | 6.7 * 10^-5 |");
    for (long n : SIZES) {
      bySize(table, goZero, n, p, goZero.shapeOf(20 * n, 14));
    }
    // New schemes come last, so that earlier rows are measured on the same elements as before.
    bySize(table.append('\n'), "redisbloom");
    bySize(table, "rueidisprob");
    write("by size", table);
  }

  private void bySize(StringBuilder table, String id) {
    LibraryScheme scheme = (LibraryScheme) HashSchemes.named(id).orElseThrow();
    for (double p : PROBABILITIES) {
      table.append("| ").append(id).append(" | 10^").append(Math.round(Math.log10(p))).append(" |");
      for (long n : SIZES) {
        bySize(table, scheme, n, p, scheme.shapeFor(n, p));
      }
      table.append('\n');
    }
  }

  private void bySize(
      StringBuilder table, LibraryScheme scheme, long n, double p, FilterShape shape) {
    table.append(' ').append(rates.measure(scheme, n, shape).ratio(p)).append(" |");
    if (n <= 100) {
      table.append(' ').append(LibraryRates.digits(scheme.expectedRate(n, shape) / p)).append(" |");
    }
  }

  /** Redisson's sums with half of the bits set, for bit sizes with and without small divisors. */
  @Test
  void redissonByDivisors() throws IOException {
    HashScheme scheme = HashSchemes.named("redisson").orElseThrow();
    var table =
        new StringBuilder("| k | p | m = 1,441,439 (prime) | m = 1,441,440 = 2 * 720,720 |\n")
            .append("|---:|---:|---:|---:|\n");
    for (int k : new int[] {3, 5, 7, 8, 10, 12, 13, 15, 17, 20}) {
      table.append(String.format(Locale.ROOT, "| %d | %.2g |", k, Math.pow(0.5, k)));
      for (long m : new long[] {1_441_439, 1_441_440}) {
        FilterShape shape = scheme.shapeOf(m, k);
        long n = Math.round(m * Math.log(2) / k);
        double ideal = Sizing.falsePositiveProbability(n, m, k);
        table.append(' ').append(rates.measure(scheme, n, shape).ratio(ideal)).append(" |");
      }
      table.append('\n');
    }
    write("redisson", table);
  }

  /** Filters with too many bits for a 31-bit hash. */
  @Test
  void largeFilters() throws IOException {
    var table =
        new StringBuilder("| scheme | n | p | m | k | measured | ratio | predicted |\n")
            .append("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    large(table, "guava-redis-helper", 300_000_000, 0.01);
    large(table, "guava-mitz-32", 150_000_000, 0.01);
    large(table, "guava-mitz-32", 300_000_000, 0.01);
    write("large", table);
  }

  private void large(StringBuilder table, String id, long n, double p) {
    HashScheme scheme = HashSchemes.named(id).orElseThrow();
    FilterShape shape = scheme.shapeFor(n, p);
    var measured = rates.measure(scheme, n, shape);
    table.append(
        String.format(
            Locale.ROOT,
            "| %s | %,d | %s | %,d | %d | %.3g | %s | %.2f |%n",
            id,
            n,
            p,
            shape.bitSize(),
            shape.numHashFunctions(),
            measured.rate(),
            measured.ratio(p),
            RateWarning.ofThirtyOneBits(n, shape) / p));
  }

  /** Full filters, with half of the bits set, and filters with far fewer elements. */
  @Test
  void scrapyByElements() throws IOException {
    var table =
        new StringBuilder("| bits | k | n | ideal | fingerprints | URLs with a number |\n")
            .append("|---:|---:|---:|---:|---:|---:|\n");
    for (int bit : new int[] {16, 20, 24}) {
      scrapy(table, 1L << bit, 6, Math.log(2) / 6);
      scrapy(table, 1L << bit, 6, 0.03);
    }
    scrapy(table, 1L << 20, 3, Math.log(2) / 3);
    scrapy(table, 1L << 20, 10, Math.log(2) / 10);
    write("scrapy", table);
  }

  private void scrapy(StringBuilder table, long m, int k, double elementsPerBit) {
    HashScheme scheme = HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow();
    FilterShape shape = scheme.shapeOf(m, k);
    long n = Math.round(m * elementsPerBit);
    double ideal = Sizing.falsePositiveProbability(n, m, k);
    table.append(
        String.format(
            Locale.ROOT, "| 2^%d | %d | %,d | %.2g |", Long.numberOfTrailingZeros(m), k, n, ideal));
    for (LongFunction<byte[]> elements :
        List.<LongFunction<byte[]>>of(LibraryRates::fingerprint, LibraryRates::url)) {
      table.append(' ').append(rates.measure(scheme, n, shape, elements).ratio(ideal)).append(" |");
    }
    table.append('\n');
  }

  private void write(String name, StringBuilder table) throws IOException {
    System.out.printf("seed %d, %s%n%s%n", seed, name, table);
    String begin = "<!-- rates: %s -->\n\n".formatted(name);
    String text = Files.readString(PAGE);
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf("\n<!-- /rates -->", from);
    if (Boolean.getBoolean("test.write-rates")) {
      Files.writeString(PAGE, text.substring(0, from) + table + text.substring(to));
    } else {
      assertEquals(text.substring(from, to), table.toString());
    }
  }
}
