package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.ProjectFiles;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pages on other libraries, hash schemes and migration name every scheme, and the page on hash
 * schemes has the tested versions.
 */
class LibrariesDocTest {

  private static final String VECTORS = "src/test/resources/hash/libraries/";
  private static final String HEADING =
      "\nBloomgate works with the filters of these libraries:\n\n";

  private static final MarkdownFile HASH_SCHEMES = MarkdownFile.read("docs/hash-schemes.md");
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");

  private final List<List<String>> rows = rows();

  static List<String> schemes() {
    return HashSchemes.ids().subList(2, HashSchemes.ids().size());
  }

  @Test
  void everySchemeOfAnotherLibraryIsInOneRow() {
    var schemes = rows.stream().flatMap(row -> MarkdownFile.codes(row.get(1))).sorted().toList();

    assertEquals(schemes().stream().sorted().toList(), schemes);
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void theMigrationPageHasTheScheme(String id) {
    var page = MarkdownFile.read("docs/migration.md").text();
    assertTrue(page.contains("`" + id + "`") || page.contains('"' + id + '"'));
  }

  @Test
  void theTableHasEverySchemeOfAnotherLibrary() {
    assertEquals(
        schemes(), HASH_SCHEMES.rows().stream().map(row -> MarkdownFile.code(row.get(0))).toList());
  }

  @Test
  void theContractNamesEveryScheme() {
    var named = ProjectFiles.yaml("openapi.yaml").at("/components/schemas/HashScheme/enum");
    assertEquals(HashSchemes.ids(), Contract.texts(named));
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void theTableNamesTheVersionsOfTheVectors(String id) {
    var row =
        HASH_SCHEMES.rows().stream()
            .filter(cells -> MarkdownFile.code(cells.get(0)).equals(id))
            .findFirst()
            .orElseThrow();
    var vectors = ProjectFiles.json(VECTORS + id + ".json");
    assertSays(row.get(2), versions(vectors), id);
    for (var result : vectors.path("versionSurvey").path("results")) {
      assertSays(row.get(2), List.of(result.get("version").asText()), id);
    }
  }

  private static void assertSays(String text, List<String> versions, String id) {
    assertFalse(versions.isEmpty(), id);
    for (var version : versions) {
      assertTrue(text.contains(version), () -> "%s: no %s in %s".formatted(id, version, text));
    }
  }

  /** The tested versions, or the commit of a library without versions. */
  private static List<String> versions(JsonNode vectors) {
    var source = vectors.get("source");
    if (!source.has("version")) {
      return List.of(source.get("commit").asText().substring(0, 7));
    }
    var text = source.get("version").asText();
    return VERSION.matcher(text).results().map(MatchResult::group).toList();
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
}
