package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * The bill of materials is complete, and the known vulnerabilities on the security page are of its
 * versions.
 */
@Tag("slow")
@DisabledIfSystemProperty(
    named = "test.maven",
    matches = "offline=true",
    disabledReason = "Maven writes the bill of materials only online")
class SbomIT {

  private static final File SBOM = Path.of("target", "bloomgate-sbom.json").toFile();
  private static final Path LIBRARIES = Path.of("target", "quarkus-app", "lib");
  private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final String PAGE = "docs/security.md";

  @Test
  void everyJarOfThePackageIsInTheBill() throws IOException {
    var missing = new TreeSet<String>();
    for (var folder : List.of("main", "boot")) {
      try (var jars = Files.list(LIBRARIES.resolve(folder))) {
        jars.forEach(jar -> missing.add(jar.getFileName().toString()));
      }
    }
    assertFalse(missing.isEmpty());
    for (var part : parts()) {
      missing.remove(fileName(part));
    }
    assertEquals(new TreeSet<>(), missing, "jars that are not in " + SBOM);
  }

  @Test
  void knownVulnerabilitiesMatchTheVersions() throws IOException {
    var versions = versions();
    var outdated = new ArrayList<String>();
    var reviewed = 0;
    for (var row : MarkdownFile.read(PAGE).rows()) {
      var part = MarkdownFile.code(row.get(0));
      if (part.indexOf(':') > 0) {
        reviewed++;
        var version = MarkdownFile.code(row.get(1));
        if (!version.equals(versions.get(part))) {
          outdated.add(part + " " + version + " is " + versions.get(part));
        }
        var fixed = MarkdownFile.code(row.get(2));
        if (!fixed.isEmpty() && compare(version, fixed) < 0) {
          outdated.add(part + " " + version + " has vulnerabilities that " + fixed + " fixes");
        }
      }
    }
    assertFalse(reviewed == 0, "there is no table of known vulnerabilities in " + PAGE);
    assertEquals(
        List.of(),
        outdated,
        "look up the vulnerabilities of these versions, then update the table in " + PAGE);
  }

  /** Compares versions by their numbers. */
  private static int compare(String version, String other) {
    return Arrays.compare(numbers(version), numbers(other));
  }

  private static int[] numbers(String version) {
    return NUMBER
        .matcher(version)
        .results()
        .mapToInt(some -> Integer.parseInt(some.group()))
        .toArray();
  }

  private static String fileName(JsonNode part) {
    var classifier = CLASSIFIER.matcher(part.get("purl").asText());
    return "%s.%s-%s%s.jar"
        .formatted(
            part.get("group").asText(),
            part.get("name").asText(),
            part.get("version").asText(),
            classifier.find() ? "-" + classifier.group(1) : "");
  }

  /** Versions by group and name. */
  private static Map<String, String> versions() throws IOException {
    var versions = new TreeMap<String, String>();
    for (var part : parts()) {
      versions.put(
          part.get("group").asText() + ":" + part.get("name").asText(),
          part.get("version").asText());
    }
    return versions;
  }

  private static JsonNode parts() throws IOException {
    return new ObjectMapper().readTree(SBOM).get("components");
  }
}
