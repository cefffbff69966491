package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.ProjectFiles;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The developer docs name only classes and scripts that exist, README.md has the commands that run
 * the tests, and docs/tests.md lists every test with a long form.
 */
class TestsDocTest {

  /** A class, optionally with a method, or a script. */
  private static final Pattern NAME =
      Pattern.compile("`(?:([A-Z]\\w*[a-z]\\w*)(?:\\.\\w+)?|([a-z-]+\\.lua))`");

  /** Classes of libraries, and words in the headers of scripts. */
  private static final Set<String> OTHERS = Set.of("Uni", "Returns", "Complexity");

  private static final Pattern LONG =
      Pattern.compile("(?m)^(  )?@Tag\\(\"long\"\\)|TestExtent\\s*\\.(of|isLong)\\(");
  private static final Pattern PROPERTY = Pattern.compile("TestExtent\\s*\\.of\\(\\s*\"([^\"]+)\"");

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

  @Test
  void everyTestWithALongFormIsListedWithItsProperty() {
    var documented =
        MarkdownFile.read("docs/tests.md").section("Long forms").rows().stream()
            .map(
                row ->
                    MarkdownFile.code(row.get(0))
                        + " "
                        + MarkdownFile.code(row.get(row.size() - 1)))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(withALongForm(), documented);
  }

  /** Newcomers start with README.md, so its command must be the one that CI runs. */
  @Test
  void theReadmeHasTheCommandThatCiRuns() {
    var readme = ProjectFiles.text(Path.of("README.md"));
    assertTrue(readme.contains("\nmvn verify ") && readme.contains("\n.ci/run "));
    assertTrue(ProjectFiles.text(Path.of(".ci", "run")).contains("\nmvn -B -ntp verify\n"));
  }

  private static SortedSet<String> withALongForm() {
    return ProjectFiles.under("src/test/java").stream()
        .filter(file -> file.toString().matches(".*(Test|IT)\\.java"))
        .filter(file -> !file.endsWith("TestsDocTest.java"))
        .filter(file -> LONG.matcher(ProjectFiles.text(file)).find())
        .map(file -> className(file) + " " + property(file))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String className(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static String property(Path file) {
    var property = PROPERTY.matcher(ProjectFiles.text(file));
    return property.find() ? property.group(1) : "";
  }
}
