package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.ProjectFiles;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * README.md has the commands that run the tests, and docs/tests.md lists every test with a long
 * form.
 */
class TestsDocTest {

  private static final Pattern LONG =
      Pattern.compile("(?m)^(  )?@Tag\\(\"long\"\\)|TestExtent\\s*\\.(of|isLong)\\(");
  private static final Pattern PROPERTY = Pattern.compile("TestExtent\\s*\\.of\\(\\s*\"([^\"]+)\"");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(\\w+)` \\|.*\\|(?: `(test\\.[^`]+)`)?[^|]*\\|$");

  @Test
  void everyTestWithALongFormIsListedWithItsProperty() {
    var documented =
        ROW.matcher(longForms())
            .results()
            .map(row -> row.group(1) + " " + (row.group(2) == null ? "" : row.group(2)))
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

  private static String longForms() {
    var page = ProjectFiles.text(Path.of("docs", "tests.md"));
    var section = page.substring(page.indexOf("\n## Long forms"));
    return section.substring(0, section.indexOf("\n## ", 1));
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
