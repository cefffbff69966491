package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ratios in README.md match the benchmarks to two digits. */
class RatiosDocTest {

  private static final Pattern SHOWN = Pattern.compile("([a-z]+(?: [a-z]+)*) (\\d+(?:\\.\\d+)?) x");

  @ParameterizedTest
  @CsvSource({"Redisson, Redisson, 5", "RedisBloom, webdis and RedisBloom, 7", "Guava, Guava, 2"})
  void everyRatioMatchesTheMeasuredOne(String alternative, String peer, int ratios) {
    var row =
        MarkdownFile.read("README.md")
            .text()
            .lines()
            .filter(line -> line.startsWith("| " + alternative))
            .collect(Collectors.joining());
    var shown = 0;
    for (var part : row.split(";")) {
      var works = part.contains("CPU time") ? "CPU of a request: " : "";
      for (var ratio : SHOWN.matcher(part).results().toList()) {
        assertEquals(measured(works + ratio.group(1), peer), ratio.group(2), ratio.group());
        shown++;
      }
    }
    assertEquals(ratios, shown, row);
  }

  /** Reads the ratio from the benchmark's table. */
  private static String measured(String work, String peer) {
    var row =
        Pattern.compile(
                "^\\| %s[^|]*\\|[^|]*\\| %s[^|]*\\| ([0-9.]+) \\|".formatted(work, peer),
                Pattern.MULTILINE)
            .matcher(MarkdownFile.read("docs/benchmarks.md").text());
    assertTrue(row.find(), "Not measured: " + work + " against " + peer);
    return new BigDecimal(row.group(1)).round(new MathContext(2)).toPlainString();
  }
}
