package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.github.bloomgate.hash.HashSchemes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of hash schemes lists every scheme of another library with the versions tested. */
class HashSchemesDocTest {

  private static final Path VECTORS = Path.of("src/test/resources/hash/libraries");
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");

  private final MarkdownFile page = MarkdownFile.read("docs/hash-schemes.md");

  static List<String> libraries() {
    return HashSchemes.ids().subList(2, HashSchemes.ids().size());
  }

  @Test
  void theTableHasEverySchemeOfAnotherLibrary() {
    assertEquals(
        libraries(), page.rows().stream().map(row -> MarkdownFile.code(row.get(0))).toList());
  }

  @Test
  void theContractNamesEveryScheme() throws IOException {
    var named =
        new ObjectMapper(new YAMLFactory())
            .readTree(Path.of("openapi.yaml").toFile())
            .at("/components/schemas/HashScheme/enum");
    assertEquals(
        HashSchemes.ids(),
        StreamSupport.stream(named.spliterator(), false).map(JsonNode::asText).toList());
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void theTableNamesTheVersionsOfTheVectors(String id) throws IOException {
    var row =
        page.rows().stream()
            .filter(cells -> MarkdownFile.code(cells.get(0)).equals(id))
            .findFirst()
            .orElseThrow();
    var vectors = vectors(id);
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

  /** The commit of a library without a version. */
  private static List<String> versions(JsonNode vectors) {
    var source = vectors.get("source");
    if (!source.has("version")) {
      return List.of(source.get("commit").asText().substring(0, 7));
    }
    var text = source.get("version").asText();
    return VERSION.matcher(text).results().map(MatchResult::group).toList();
  }

  private static JsonNode vectors(String id) throws IOException {
    return new ObjectMapper().readTree(VECTORS.resolve(id + ".json").toFile());
  }
}
