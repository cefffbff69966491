package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages for developers name classes and scripts that exist. */
class ArchitectureDocTest {

  /** A class, maybe with a method, or a script. */
  private static final Pattern NAME =
      Pattern.compile("`(?:([A-Z]\\w*[a-z]\\w*)(?:\\.\\w+)?|([a-z-]+\\.lua))`");

  /** Classes of libraries, and words in the headers of scripts. */
  private static final Set<String> OTHERS = Set.of("Uni", "Returns", "Complexity");

  @ParameterizedTest
  @ValueSource(strings = {"docs/architecture.md", "docs/tests.md", "CONTRIBUTING.md"})
  void everyNamedClassExists(String page) throws IOException {
    var named = new TreeSet<String>();
    var names = NAME.matcher(Files.readString(Path.of(page)));
    while (names.find()) {
      named.add(names.group(1) == null ? names.group(2) : names.group(1) + ".java");
    }
    assertTrue(named.size() > 10, "few names were found: " + named);
    OTHERS.forEach(other -> named.remove(other + ".java"));
    named.removeAll(files());
    assertEquals(Set.of(), named);
  }

  private static Set<String> files() throws IOException {
    try (var files = Files.walk(Path.of("src"))) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }
}
