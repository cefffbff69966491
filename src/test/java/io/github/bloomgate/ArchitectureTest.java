package io.github.bloomgate;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Checks the dependencies between packages and a few rules of style. */
class ArchitectureTest {

  private static final String BASE = "io.github.bloomgate";

  /**
   * Each package, from the top down, with the packages it may use. A package that is missing here
   * fails the test.
   */
  private static final Map<String, List<String>> ARROWS =
      """
      server:   http filters store redis threads config model hash
      http:     files rebuild elements filters memory threads config model hash
      files:    rebuild elements filters store segment memory threads config model hash
      rebuild:  elements filters store segment memory threads config model hash
      elements: filters store redis segment memory threads config model hash
      filters:  store segment memory threads config model hash
      store:    redis segment threads config model hash
      redis:    threads config model
      segment:  hash
      memory:   threads config model
      threads:
      config:   model hash
      model:    segment hash
      hash:
      """
          .lines()
          .map(line -> List.of(line.split("\\W+")))
          .collect(toMap(words -> words.get(0), words -> words.subList(1, words.size())));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(BASE);

  @TestFactory
  Stream<DynamicTest> packagesUseOnlyAllowedOnes() {
    return ARROWS.keySet().stream()
        .map(
            name ->
                dynamicTest(name + " -> " + ARROWS.get(name), () -> arrowsOf(name).check(CLASSES)));
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
  void everyClassIsInAListedPackage() {
    var known = ARROWS.keySet().stream().map(ArchitectureTest::ours).toArray(String[]::new);
    classes().should().resideInAnyPackage(known).check(CLASSES);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching(BASE + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    slices().matching(BASE + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void hashAndErrorsUseTheJdkOnlyAndModelNoFramework() {
    onlyUses("hash", "java..", ours("hash")).check(CLASSES);
    onlyUses("model.error", "java..", ours("model.error")).check(CLASSES);
    onlyUses(
            "model",
            "java..",
            "com.fasterxml.jackson..",
            "com.cronutils..",
            ours("model"),
            ours("segment"),
            ours("hash"))
        .check(CLASSES);
  }

  @Test
  void segmentsUseTheJdkAndHashOnly() {
    onlyUses("segment", "java..", ours("segment"), ours("hash")).check(CLASSES);
  }

  private static ArchRule onlyUses(String name, String... allowed) {
    return classes()
        .that()
        .resideInAPackage(ours(name))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed);
  }

  @Test
  void onlyHttpKnowsJakartaRest() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ours("http"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jakarta.ws.rs..")
        .check(CLASSES);
  }

  @Test
  void onlyTheStoreAndBelowKnowTheRedisClient() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ours("store"), ours("redis"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx.redis..", "io.quarkus.redis..")
        .check(CLASSES);
  }

  @Test
  void nothingIsMemoized() {
    noClasses()
        .should()
        .callMethod(Uni.class, "memoize")
        .orShould()
        .callMethod(Uni.class, "cache")
        .because(
            "a caller that waits for another one's work would continue in the other request;"
                + " a CompletableFuture and OwnContext.here() give each its own")
        .check(CLASSES);
  }

  @Test
  void onlyOnePlaceWaits() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ours("threads"))
        .should()
        .callMethod(Uni.class, "await")
        .because("io.github.bloomgate.threads.Await says who may wait, and for how long")
        .check(CLASSES);
  }

  /** Asynchronous operations run on an event loop and must not block. All others may. */
  @Test
  void onlyWorkOnElementsRunsOnEventLoops() {
    var found = new TreeSet<String>();
    for (var resource : CLASSES) {
      if (!resource.isAnnotatedWith("jakarta.ws.rs.Path")) {
        continue;
      }
      for (var method : resource.getMethods()) {
        if (method.getModifiers().contains(JavaModifier.PUBLIC)
            && method.getRawReturnType().isEquivalentTo(Uni.class)
            && !method.isAnnotatedWith(Blocking.class)) {
          found.add(resource.getSimpleName() + "." + method.getName());
        }
      }
    }
    assertEquals(
        Set.of(
            "SeveralFiltersResource.add",
            "ElementResource.add",
            "ElementResource.count",
            "ElementResource.remove",
            "ElementResource.test",
            "ElementResource.testFew",
            "GateResource.gate",
            "GateResource.gateOfSeveral",
            "RebuildResource.load",
            "SeveralFiltersResource.test",
            "SeveralFiltersResource.testFew"),
        found);
  }

  @Test
  void injectionIsByConstructor() {
    noFields()
        .should()
        .beAnnotatedWith("jakarta.inject.Inject")
        .because("a constructor shows what a class needs and leaves its fields final")
        .check(CLASSES);
  }

  @Test
  void classNamesAreMeaningful() {
    noClasses()
        .should()
        .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl|DTO|Dto)")
        .because("these words fit any class")
        .check(CLASSES);
  }

  private static String ours(String name) {
    return BASE + "." + name + "..";
  }
}
