package io.github.bloomgate;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.groups.MultiSubscribe;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
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
      server:   http files filters store redis memory threads config model lines hash
      http:     files follow rebuild elements filters memory threads config model lines hash
      follow:   elements filters segment redis memory threads config model
      files:    rebuild elements filters store segment memory threads config model lines hash
      rebuild:  elements filters store segment memory threads config model lines hash
      elements: filters store redis segment memory threads config model lines hash
      filters:  store segment memory threads config model hash
      store:    redis segment threads config model hash
      redis:    threads config model
      segment:  hash
      memory:   threads config model
      threads:
      config:   model hash
      model:    segment lines hash
      lines:
      hash:
      """
          .lines()
          .map(line -> List.of(line.split("\\W+")))
          .collect(toMap(words -> words.get(0), words -> words.subList(1, words.size())));

  /**
   * Methods that wait for another thread, by type, with any parameters. Pauses and the ends of
   * executors and processes are missing, because they are no answers.
   */
  private static final Map<Class<?>, Set<String>> WAITS =
      Map.of(
          Uni.class, Set.of("await"),
          MultiSubscribe.class, Set.of("asIterable", "asStream"),
          Future.class, Set.of("get", "join"),
          CountDownLatch.class, Set.of("await"),
          CyclicBarrier.class, Set.of("await"),
          Condition.class, Set.of("await", "awaitNanos", "awaitUntil", "awaitUninterruptibly"),
          Semaphore.class, Set.of("acquire", "acquireUninterruptibly"),
          BlockingQueue.class, Set.of("put", "take"));

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

  /** A circle means that its classes can only be understood together. */
  @Test
  void classesFormOnlyKnownCircles() {
    assertEquals(
        Set.of(Set.of("ElementPart", "ElementRequest")),
        Stream.of("elements", "filters", "store", "rebuild", "segment")
            .flatMap(name -> circles(BASE + "." + name).stream())
            .collect(toSet()));
  }

  /** The groups of classes that all depend on each other, with nested ones counted as theirs. */
  private static Set<Set<String>> circles(String packageName) {
    var arrows = new HashMap<String, Set<String>>();
    for (var some : CLASSES) {
      if (some.getPackageName().equals(packageName)) {
        var from = arrows.computeIfAbsent(outermost(some), key -> new HashSet<>());
        for (var use : some.getDirectDependenciesFromSelf()) {
          if (use.getTargetClass().getPackageName().equals(packageName)) {
            from.add(outermost(use.getTargetClass()));
          }
        }
      }
    }
    var reached = arrows.keySet().stream().collect(toMap(name -> name, name -> from(name, arrows)));
    return reached.keySet().stream()
        .map(
            name ->
                reached.get(name).stream()
                    .filter(other -> reached.get(other).contains(name))
                    .collect(toSet()))
        .filter(circle -> circle.size() > 1)
        .collect(toSet());
  }

  private static Set<String> from(String name, Map<String, Set<String>> arrows) {
    var all = new HashSet<>(Set.of(name));
    var next = new ArrayDeque<>(List.of(name));
    while (!next.isEmpty()) {
      for (var use : arrows.getOrDefault(next.remove(), Set.of())) {
        if (all.add(use)) {
          next.add(use);
        }
      }
    }
    return all;
  }

  private static String outermost(JavaClass some) {
    var component = some.getBaseComponentType();
    return component
        .getEnclosingClass()
        .map(ArchitectureTest::outermost)
        .orElse(component.getSimpleName());
  }

  @Test
  void hashAndErrorsUseTheJdkOnlyAndLinesAndModelNoFramework() {
    onlyUses("hash", "java..", ours("hash")).check(CLASSES);
    onlyUses("model.error", "java..", ours("model.error")).check(CLASSES);
    onlyUses("lines", "java..", "com.fasterxml.jackson..", ours("lines")).check(CLASSES);
    onlyUses(
            "model",
            "java..",
            "com.fasterxml.jackson..",
            "com.cronutils..",
            ours("model"),
            ours("segment"),
            ours("lines"),
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
        .accessTargetWhere(DescribedPredicate.describe("it waits", ArchitectureTest::waits))
        .because("io.github.bloomgate.threads says who may wait, and for how long")
        .check(CLASSES);
  }

  /** Whether it calls or refers to {@link Object#wait} or one of {@link #WAITS}. */
  private static boolean waits(JavaAccess<?> access) {
    var owner = access.getTargetOwner();
    return (owner.isEquivalentTo(Object.class) && access.getName().equals("wait"))
        || WAITS.entrySet().stream()
            .anyMatch(
                wait ->
                    owner.isAssignableTo(wait.getKey())
                        && wait.getValue().contains(access.getName()));
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
        var isOnLoop =
            method.isAnnotatedWith(NonBlocking.class)
                || (method.getRawReturnType().isEquivalentTo(Uni.class)
                    && !method.isAnnotatedWith(Blocking.class));
        if (method.getModifiers().contains(JavaModifier.PUBLIC) && isOnLoop) {
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
            "FollowResource.follow",
            "FollowResource.goOn",
            "GateResource.gate",
            "GateResource.gateForExtAuthz",
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
