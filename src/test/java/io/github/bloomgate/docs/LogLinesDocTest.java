package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.ProjectFiles;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/failures.md lists exactly the warnings and errors that the service logs. */
class LogLinesDocTest {

  private static final String LITERAL = "\"(?:[^\"\\\\]|\\\\.)*\"";
  private static final String TERM = "(?:" + LITERAL + "|\\w[\\w.()]*)";

  /** A call to a logger, whose message may concatenate literals and run-time values. */
  private static final Pattern CALL =
      Pattern.compile(
          "\\bLOG\\.(\\w+?)f?\\(\\s*(?:\\w+,\\s*)?(" + TERM + "(?:\\s*\\+\\s*" + TERM + ")*)");

  private static final Pattern ANY_CALL =
      Pattern.compile("(?i)\\blog\\.(?:warn|error|fatal|log)\\w*\\(");
  private static final Pattern PART = Pattern.compile(TERM);

  /** Placeholders in a call's message. Rows of the page have other ones. */
  private static final Pattern OPEN_IN_CALL = Pattern.compile("%[sd]");

  private static final Pattern OPEN_IN_ROW = Pattern.compile("\\.\\.\\.|\\b[A-Z]+\\b");

  /** A line with fewer fixed letters would match too many others. */
  private static final int LEAST_FIXED = 10;

  /** An error code in a row stands for any error code. */
  private static final Pattern ERROR_CODE = Pattern.compile("\\b[A-Z]+_[A-Z_]+\\b");

  /** Logged by the framework. */
  private static final Set<String> OF_OTHERS =
      Set.of("Failed to submit a listener notification task. Event loop shut down?");

  /** A line with placeholders as wildcards. */
  private record Line(String text, List<String> fixed) {

    static Line ofCall(MatchResult call) {
      var text =
          PART.matcher(call.group(2))
              .results()
              .map(part -> part.group().startsWith("\"") ? literal(part.group()) : "%s")
              .collect(Collectors.joining());
      return new Line(text, split(OPEN_IN_CALL, text));
    }

    static Line ofRow(String code) {
      return new Line(code, split(OPEN_IN_ROW, ERROR_CODE.matcher(code).replaceAll("...")));
    }

    private static String literal(String source) {
      return source.substring(1, source.length() - 1).replace("\\\"", "\"");
    }

    private static List<String> split(Pattern open, String text) {
      return Arrays.asList(open.split(text, -1));
    }

    /** Whether one of the two lines contains all fixed text of the other. */
    boolean isLike(Line other) {
      return says(other) || other.says(this);
    }

    private boolean says(Line other) {
      return String.join("", other.fixed).length() >= LEAST_FIXED
          && Pattern.matches(
              other.fixed.stream().map(Pattern::quote).collect(Collectors.joining(".*")),
              String.join("0", fixed));
    }
  }

  @Test
  void everyWarningAndErrorHasARow() {
    var rows = rows();
    assertEquals(
        List.of(),
        calls(Set.of("warn", "error", "fatal"))
            .filter(line -> rows.stream().noneMatch(line::isLike))
            .map(Line::text)
            .toList());
  }

  @Test
  void everyLoggerCallIsFound() {
    var all = sources().mapToLong(source -> ANY_CALL.matcher(source).results().count()).sum();
    assertTrue(all > 20, "too few calls, so sources are missing");
    assertEquals(all, calls(Set.of("warn", "error", "fatal")).count());
  }

  @Test
  void everyRowMatchesALoggedLine() {
    var logged = calls(Set.of("info", "warn", "error", "fatal")).toList();
    assertEquals(
        List.of(),
        rows().stream()
            .filter(row -> !OF_OTHERS.contains(row.text()))
            .filter(row -> logged.stream().noneMatch(row::isLike))
            .map(Line::text)
            .toList());
  }

  private static Stream<Line> calls(Set<String> levels) {
    return sources()
        .flatMap(source -> CALL.matcher(source).results())
        .filter(call -> levels.contains(call.group(1)))
        .map(Line::ofCall);
  }

  private static Stream<String> sources() {
    return ProjectFiles.under("src/main/java").stream()
        .filter(file -> file.toString().endsWith(".java"))
        .map(ProjectFiles::text);
  }

  /** The lines of the table. A cell may contain two forms of a line. */
  private static List<Line> rows() {
    return MarkdownFile.read("docs/failures.md").section("Log lines").rows().stream()
        .flatMap(cells -> MarkdownFile.codes(cells.get(0)))
        .filter(code -> !code.equals("ERROR"))
        .map(Line::ofRow)
        .toList();
  }
}
