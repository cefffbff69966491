package io.github.bloomgate;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The arrows between the packages, and the few rules of style that bytecode shows. */
class ArchitectureTest {

  private static final String BASE = "io.github.bloomgate";

  /** Each package and the packages of ours it may use; a package not named here is refused. */
  private static final Map<String, List<String>> ARROWS =
      new TreeMap<>(
          Map.ofEntries(
              entry(
                  "observe",
                  List.of(
                      "service",
                      "store",
                      "redis",
                      "embedded",
                      "filter",
                      "hash",
                      "error",
                      "config")),
              entry(
                  "api",
                  List.of(
                      "service",
                      "security",
                      "source",
                      "lines",
                      "memory",
                      "filter",
                      "hash",
                      "error",
                      "config")),
              entry("command", List.of("security", "config")),
              entry("security", List.of("error", "config")),
              entry("lines", List.of("error")),
              entry("secret", List.of("hash", "error", "config")),
              entry(
                  "service",
                  List.of(
                      "store",
                      "journal",
                      "source",
                      "portable",
                      "lines",
                      "secret",
                      "memory",
                      "filter",
                      "hash",
                      "error",
                      "config")),
              entry("source", List.of("lines", "error", "config")),
              entry(
                  "store",
                  List.of(
                      "redis", "journal", "source", "lines", "secret", "filter", "hash", "error",
                      "config")),
              entry("journal", List.of("memory", "filter", "hash", "config")),
              entry("memory", List.of("error", "config")),
              entry("redis", List.of("error", "config")),
              entry("embedded", List.of("error", "config")),
              entry("portable", List.of("filter", "hash", "error")),
              entry("filter", List.of("hash", "error")),
              entry("config", List.of("error")),
              entry("hash", List.of()),
              entry("error", List.of())));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(BASE);

  @TestFactory
  Stream<DynamicTest> packagesUseOnlyWhatTheyMay() {
    return ARROWS.keySet().stream()
        .map(name -> dynamicTest(name + " -> " + ARROWS.get(name), () -> check(arrowsOf(name))));
  }

  private static ArchRule arrowsOf(String name) {
    var allowed =
        Stream.concat(Stream.of(name), ARROWS.get(name).stream())
            .map(ArchitectureTest::ours)
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(ours(name))
        .should()
        .dependOnClassesThat(resideInAPackage(BASE + "..").and(not(resideInAnyPackage(allowed))));
  }

  @Test
  void everyPackageHasItsArrows() {
    var known = ARROWS.keySet().stream().map(ArchitectureTest::ours).toArray(String[]::new);
    check(classes().should().resideInAnyPackage(known));
  }

  @Test
  void packagesFormNoCycle() {
    check(slices().matching(BASE + ".(*)..").should().beFreeOfCycles());
  }

  @Test
  void hashAndErrorUseTheJdkOnly() {
    for (var name : List.of("hash", "error")) {
      check(
          classes()
              .that()
              .resideInAPackage(ours(name))
              .should()
              .onlyDependOnClassesThat()
              .resideInAnyPackage("java..", ours(name)));
    }
  }

  @Test
  void onlyApiKnowsHttp() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ours("api"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jakarta.ws.rs.."));
  }

  @Test
  void onlyTheStoreAndBelowKnowTheRedisClient() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(ours("store"), ours("redis"), ours("embedded"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx.redis..", "io.quarkus.redis.."));
  }

  @Test
  void nothingIsMemoized() {
    check(
        noClasses()
            .should()
            .callMethod(Uni.class, "memoize")
            .orShould()
            .callMethod(Uni.class, "cache")
            .because(
                "whoever waits for what another began would go on in the request of that one;"
                    + " io.github.bloomgate.redis.Shared gives each its own"));
  }

  @Test
  void injectionIsByConstructor() {
    check(
        noFields()
            .should()
            .beAnnotatedWith("jakarta.inject.Inject")
            .because("a constructor shows what a class needs and leaves its fields final"));
  }

  @Test
  void namesSayWhatAClassIs() {
    check(
        noClasses()
            .should()
            .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl|DTO|Dto)")
            .because("these words fit any class"));
  }

  private static String ours(String name) {
    return BASE + "." + name + "..";
  }

  private static void check(ArchRule rule) {
    // A package may still be empty: a rule that finds nothing to look at holds.
    rule.allowEmptyShould(true).check(CLASSES);
  }
}
