package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ratios in README.md match the benchmarks to two digits. */
class RatiosDocTest {

  private static final String README = MarkdownFile.read("README.md").text();

  @ParameterizedTest
  @CsvSource({
    "'RedisBloom behind an HTTP proxy, throughput', '%s', webdis and RedisBloom, 4",
    "'RedisBloom behind an HTTP proxy, CPU time, n = 1,000,000', 'CPU of a request: %s, n = 1,000,000', webdis and RedisBloom, 4",
    "'RedisBloom behind an HTTP proxy, CPU time, n = 10,000,000', 'CPU of a request: %s, n = 10,000,000', webdis and RedisBloom, 4",
    "'Redisson, throughput', '%s', Redisson, 6",
    "'Guava on one thread, throughput', '%s', Guava, 2"
  })
  void everyRatioMatchesTheMeasuredOne(String row, String measured, String peer, int ratios) {
    var works = cells("Alternative | Single test");
    var shown = cells(row);
    var compared = 0;
    for (var i = 1; i < shown.length; i++) {
      if (!shown[i].isEmpty()) {
        var work = measured.formatted(works[i].toLowerCase(Locale.ROOT));
        assertEquals(measured(work, peer), shown[i], work + " of " + row);
        compared++;
      }
    }
    assertEquals(ratios, compared, row);
  }

  @Test
  void theLatencyMatchesTheMeasuredOne() {
    var sentence = "The latency of a single test is %s x Redisson's.";
    assertTrue(README.contains(sentence.formatted(measured("latency", "Redisson"))));
  }

  private static String[] cells(String beginning) {
    var line =
        README
            .lines()
            .filter(row -> row.startsWith("| " + beginning + " |"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no row " + beginning));
    return line.substring(2, line.length() - 2).split(" ?\\| ?", -1);
  }

  /** Reads the ratio from the benchmark's table. Its usual number of connections is 32. */
  private static String measured(String work, String peer) {
    var row =
        Pattern.compile(
                "^\\| %s(?![^|]*(?<! 32) connections)[^|]*\\|[^|]*\\|[^|]*\\| %s[^|]*\\| ([0-9.]+) \\|"
                    .formatted(work, peer),
                Pattern.MULTILINE)
            .matcher(MarkdownFile.read("docs/benchmarks.md").text());
    assertTrue(row.find(), "Not measured: " + work + " against " + peer);
    return new BigDecimal(row.group(1)).round(new MathContext(2)).toPlainString();
  }
}
