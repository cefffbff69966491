package io.github.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.ProjectFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Every test of an application runs in one of the suites. */
class OwnApplicationsTest {

  private static final Pattern PROFILE = Pattern.compile("(?m)^@TestProfile\\(");
  private static final Pattern OF_APPLICATION = Pattern.compile("(?m)^@QuarkusTest$");
  private static final Pattern SLOW =
      Pattern.compile(
          "(?m)^ *@Tag\\(\"(faults|topology|fuzz|slow)\"\\)|extends ConsoleInChromium ");

  private static final List<Class<?>> SLOW_SUITES =
      List.of(
          SlowConsoleSuite.class, SlowHttpSuite.class, SlowOtherSuite.class, SlowRedisSuite.class);

  /** Quick suites leave out the tests of other builds that have an application of their own. */
  @Test
  void quickSuitesLeaveOutOtherApplications() {
    var excluded =
        Stream.of(QuickSuite.class.getAnnotation(ExcludeClassNamePatterns.class).value())
            .map(pattern -> pattern.replace(".*\\.", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(withOwnApplication(), excluded);
  }

  @Test
  void eachSlowTestIsInOneSuite() {
    var patterns =
        SLOW_SUITES.stream()
            .map(suite -> suite.getAnnotation(IncludeClassNamePatterns.class).value())
            .flatMap(Stream::of)
            .toList();
    var astray =
        all(OF_APPLICATION)
            .filter(file -> SLOW.matcher(ProjectFiles.text(file)).find())
            .map(file -> file.toString().replaceFirst(".*java/(.*)\\.java", "$1").replace('/', '.'))
            .filter(name -> patterns.stream().filter(name::matches).count() != 1)
            .toList();
    assertEquals(List.of(), astray);
  }

  /** The classes with a profile and the tag of another build. */
  private static SortedSet<String> withOwnApplication() {
    var tagged = Pattern.compile("(?m)^@Tag\\(\"(faults|topology|fuzz|slow|long)\"\\)");
    return all(PROFILE)
        .filter(file -> tagged.matcher(ProjectFiles.text(file)).find())
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<Path> all(Pattern content) {
    return ProjectFiles.under("src/test/java").stream()
        .filter(file -> content.matcher(ProjectFiles.text(file)).find());
  }
}
