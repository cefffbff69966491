package io.github.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;

/**
 * The quick build leaves out by name the slow tests that have an application of their own, and no
 * others: those would never run.
 */
class OwnApplicationsTest {

  private static final Pattern PROFILE = Pattern.compile("(?m)^@TestProfile\\(");
  private static final Pattern SLOW =
      Pattern.compile("(?m)^@Tag\\(\"(faults|topology|fuzz|slow|long)\"\\)");

  @Test
  void theSuitesLeaveOutTheSlowApplications() throws IOException {
    var excluded =
        Stream.of(QuickSuite.class.getAnnotation(ExcludeClassNamePatterns.class).value())
            .map(pattern -> pattern.replace(".*\\.", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(slowWithOwnApplication(), excluded);
  }

  private static SortedSet<String> slowWithOwnApplication() throws IOException {
    try (var files = Files.walk(Path.of("src", "test", "java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> PROFILE.matcher(text(file)).find() && SLOW.matcher(text(file)).find())
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
