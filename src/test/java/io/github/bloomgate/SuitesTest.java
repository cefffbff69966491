package io.github.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Collections;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeTags;

/** Checks that each slow test with an application is in a suite, as the whole build does late. */
class SuitesTest {

  private static final Set<String> SLOW =
      Set.of(SlowSuite.class.getAnnotation(IncludeTags.class).value()[0].split(" \\| "));

  private static final Set<String> LEFT_OUT =
      Set.of(SlowSuite.class.getAnnotation(ExcludeTags.class).value());

  @TestFactory
  Stream<DynamicTest> eachSlowClassIsInOneSuite() {
    var classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("io.github.bloomgate");
    var patterns =
        classes.stream()
            .filter(type -> type.isAssignableTo(SlowSuite.class))
            .filter(type -> type.isAnnotatedWith(IncludeClassNamePatterns.class))
            .flatMap(
                type -> Stream.of(type.getAnnotationOfType(IncludeClassNamePatterns.class).value()))
            .map(Pattern::compile)
            .toList();
    return classes.stream()
        .filter(SuitesTest::isSlow)
        .map(JavaClass::getName)
        .sorted()
        .map(
            name ->
                dynamicTest(
                    name,
                    () ->
                        assertEquals(
                            1,
                            patterns.stream().filter(it -> it.matcher(name).matches()).count(),
                            "suites of " + name)));
  }

  private static boolean isSlow(JavaClass type) {
    if (type.getModifiers().contains(JavaModifier.ABSTRACT)
        || !type.isAnnotatedWith(QuarkusTest.class)) {
      return false;
    }
    var tags =
        Stream.of(type.reflect().getAnnotationsByType(Tag.class))
            .map(Tag::value)
            .collect(Collectors.toSet());
    return !Collections.disjoint(tags, SLOW) && Collections.disjoint(tags, LEFT_OUT);
  }
}
