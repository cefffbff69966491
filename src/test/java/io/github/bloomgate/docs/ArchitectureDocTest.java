package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.ProjectFiles;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The developer docs name only classes and scripts that exist. */
class ArchitectureDocTest {

  /** A class, optionally with a method, or a script. */
  private static final Pattern NAME =
      Pattern.compile("`(?:([A-Z]\\w*[a-z]\\w*)(?:\\.\\w+)?|([a-z-]+\\.lua))`");

  /** Classes of libraries, and words in the headers of scripts. */
  private static final Set<String> OTHERS = Set.of("Uni", "Returns", "Complexity");

  @ParameterizedTest
  @ValueSource(strings = {"docs/architecture.md", "docs/tests.md", "CONTRIBUTING.md"})
  void everyNamedClassExists(String page) {
    var named = new TreeSet<String>();
    var names = NAME.matcher(ProjectFiles.text(Path.of(page)));
    while (names.find()) {
      named.add(names.group(1) == null ? names.group(2) : names.group(1) + ".java");
    }
    assertTrue(named.size() > 10, "few names were found: " + named);
    OTHERS.forEach(other -> named.remove(other + ".java"));
    ProjectFiles.under("src").forEach(file -> named.remove(file.getFileName().toString()));
    assertEquals(Set.of(), named);
  }
}
