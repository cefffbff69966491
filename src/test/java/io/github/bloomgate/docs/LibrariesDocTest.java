package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The table of other libraries has every scheme once, each row has a test, and the page on
 * migration covers each.
 */
class LibrariesDocTest {

  private static final Path TESTS = Path.of("src/test/java/io/github/bloomgate/libraries");
  private static final String HEADING =
      "\nBloomgate works with the filters of these libraries:\n\n";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final List<List<String>> rows = rows();

  @Test
  void everySchemeOfAnotherLibraryIsInOneRow() {
    var schemes = rows.stream().flatMap(row -> codes(row.get(1))).sorted().toList();

    var all = HashSchemes.ids();
    assertEquals(all.subList(2, all.size()).stream().sorted().toList(), schemes);
  }

  @TestFactory
  Stream<DynamicTest> everyRowHasATestOfItsOwn() {
    var tests = rows.stream().map(row -> MarkdownFile.code(row.get(4))).toList();

    assertEquals(rows.size(), new TreeSet<>(tests).size(), tests.toString());
    return tests.stream()
        .map(
            test ->
                DynamicTest.dynamicTest(
                    test, () -> assertTrue(Files.exists(TESTS.resolve(test + ".java")), test)));
  }

  @TestFactory
  Stream<DynamicTest> everySchemeIsInThePageOnMigration() {
    var page = MarkdownFile.read("docs/migration.md").text();
    return rows.stream()
        .flatMap(row -> codes(row.get(1)))
        .map(
            id ->
                DynamicTest.dynamicTest(
                    id,
                    () ->
                        assertTrue(
                            page.contains("`" + id + "`") || page.contains('"' + id + '"'), id)));
  }

  /** The cells of the table's rows, without the header. */
  private static List<List<String>> rows() {
    var text = MarkdownFile.read("docs/libraries.md").text();
    var from = text.indexOf(HEADING);
    assertTrue(from > 0, HEADING);
    var table = text.substring(from + HEADING.length());
    return table
        .lines()
        .takeWhile(line -> line.startsWith("| ") || line.startsWith("|-"))
        .skip(2)
        .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)))
        .toList();
  }

  private static Stream<String> codes(String text) {
    return CODE.matcher(text).results().map((MatchResult found) -> found.group(1));
  }
}
