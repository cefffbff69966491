package io.github.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.ProjectFiles;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;

/**
 * The suites must exclude tests of other builds that have their own application. A test excluded by
 * mistake would never run.
 */
class OwnApplicationsTest {

  private static final Pattern PROFILE = Pattern.compile("(?m)^@TestProfile\\(");

  @Test
  void quickSuitesLeaveOutSlowAndLongApplications() {
    assertEquals(withOwnApplication("faults|topology|fuzz|slow|long"), excluded(QuickSuite.class));
  }

  @Test
  void slowSuitesLeaveOutLongApplications() {
    assertEquals(withOwnApplication("long"), excluded(SlowSuite.class));
  }

  private static SortedSet<String> excluded(Class<?> suite) {
    return Stream.of(suite.getAnnotation(ExcludeClassNamePatterns.class).value())
        .map(pattern -> pattern.replace(".*\\.", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The classes with a profile and one of these tags. */
  private static SortedSet<String> withOwnApplication(String tags) {
    var tagged = Pattern.compile("(?m)^@Tag\\(\"(" + tags + ")\"\\)");
    return ProjectFiles.under("src/test/java").stream()
        .filter(file -> PROFILE.matcher(ProjectFiles.text(file)).find())
        .filter(file -> tagged.matcher(ProjectFiles.text(file)).find())
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
