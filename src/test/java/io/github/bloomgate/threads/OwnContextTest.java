package io.github.bloomgate.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.filters.CreationService;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.rebuild.CopyService;
import io.github.bloomgate.rebuild.MergeService;
import io.github.bloomgate.rebuild.RebuildOpening;
import io.github.bloomgate.rebuild.RebuildService;
import io.github.bloomgate.support.TestInstance;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.MDC;
import org.junit.jupiter.api.Test;

/**
 * Whatever several requests wait for together, each goes on as itself: on its own context of
 * Vert.x, with its own request scope and the id that its log lines bear.
 */
@QuarkusTest
class OwnContextTest {

  private static final int ASKERS = 36;
  private static final int PATIENCE = 120;
  private static final String ID = "asker";
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  @Inject Vertx vertx;
  @Inject Asker asker;
  @Inject Instance<RequestContextController> scopes;
  @Inject CreationService creations;
  @Inject DescriptionService descriptions;
  @Inject ElementService elements;
  @Inject FilterService filters;
  @Inject RebuildOpening openings;
  @Inject RebuildService rebuilds;
  @Inject CopyService copies;
  @Inject MergeService merges;

  /** Who asks, as a request knows it. */
  @RequestScoped
  static class Asker {
    private int number = -1;

    int number() {
      return number;
    }

    void is(int one) {
      number = one;
    }
  }

  /** What a request does, by the number of who asks; all with the same two filters. */
  private interface Operation {
    Uni<?> begin(FilterName name, int number);
  }

  @Test
  void eachGoesOnAsItself() throws Exception {
    var operations = operations();
    var parameters =
        List.of(
            FilterParameters.forShape(HashSchemes.nativeScheme(), 8 << 10, 5, WhenFull.ACCEPT),
            FilterParameters.forShape(
                HashSchemes.nativeScheme(), 3 * (1L << 24), 5, WhenFull.ACCEPT));
    for (var shape : parameters) {
      var name = TestInstance.name();
      for (var round = 0; round < 2; round++) {
        // They delete it, and rename it, too.
        creations.create(name, shape, Optional.empty(), Quota.NONE);
        var found = new ArrayList<CompletableFuture<String>>();
        for (var number = 0; number < ASKERS; number++) {
          var operation = operations.get(number % operations.size());
          found.add(ask(number, operation.getKey(), operation.getValue(), name));
        }
        for (var one : found) {
          assertEquals("as itself", one.get(PATIENCE, TimeUnit.SECONDS));
        }
      }
    }
  }

  private List<Map.Entry<String, Operation>> operations() {
    var quota = new Quota(Optional.of("key"), List.of("n"), 1_000_000, 1L << 50);
    return List.of(
        Map.entry(
            "create",
            waiting(
                name ->
                    creations.create(
                        TestInstance.name(),
                        FilterParameters.forShape(
                            HashSchemes.nativeScheme(), 8 << 10, 5, WhenFull.ACCEPT),
                        Optional.empty(),
                        quota))),
        Map.entry("add", (name, number) -> elements.add(name, some(number))),
        Map.entry("test", (name, number) -> elements.test(name, some(number))),
        Map.entry("add many", (name, number) -> elements.add(name, many())),
        Map.entry("test many", (name, number) -> elements.test(name, many())),
        Map.entry("describe", waiting(name -> descriptions.describe(name))),
        Map.entry("list", waiting(name -> descriptions.list(List.of("n"), Optional.empty(), 100))),
        Map.entry("open", waiting(name -> openings.open(name, live -> live, A_MINUTE, quota))),
        Map.entry("abort", waiting(name -> rebuilds.abort(rebuilds.find(name).next()))),
        Map.entry("clear", waiting(name -> filters.clear(name))),
        Map.entry(
            "copy",
            waiting(
                name ->
                    copies.copy(
                        name,
                        TestInstance.name(),
                        false,
                        Optional.empty(),
                        quota,
                        TestInstance.STAYS))),
        Map.entry(
            "merge",
            waiting(
                name ->
                    merges.merge(
                        name, List.of(name), OptionalDouble.empty(), TestInstance.STAYS))));
  }

  /** What waits on a worker thread, as a resource does. */
  private static Operation waiting(Consumer<FilterName> operation) {
    return (name, number) ->
        Uni.createFrom()
            .voidItem()
            .invoke(() -> operation.accept(name))
            .runSubscriptionOn(OwnContext.workers())
            .emitOn(OwnContext.here());
  }

  private static List<byte[]> some(int number) {
    return TestInstance.elements("e" + number, 3);
  }

  private static List<byte[]> many() {
    return TestInstance.elements("many", 5_000);
  }

  private CompletableFuture<String> ask(
      int number, String what, Operation operation, FilterName name) {
    var found = new CompletableFuture<String>();
    var context = ((ContextInternal) vertx.getOrCreateContext()).duplicate();
    context.runOnContext(
        ignored -> {
          scopes.get().activate();
          asker.is(number);
          MDC.put(ID, "asker " + number);
          operation
              .begin(name, number)
              .subscribe()
              .with(
                  done -> found.complete(look(what, number, context)),
                  failure -> found.complete(look(what, number, context)));
        });
    return found;
  }

  private String look(String what, int number, Context own) {
    try {
      var seen =
          List.of(
              Vertx.currentContext() == own,
              asker.number() == number,
              ("asker " + number).equals(MDC.get(ID)));
      return seen.equals(Collections.nCopies(3, true))
          ? "as itself"
          : "%s: context, scope, id of log lines are its own: %s".formatted(what, seen);
    } catch (RuntimeException e) {
      return what + ": " + e;
    }
  }
}
