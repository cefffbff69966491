package io.github.bloomgate.promises;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.promises.ModelCall.Kind;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Parallel calls of several clients through two instances, each client on its own thread. There
 * must be an order in which the model gives the same answers; see {@link Linearization}. {@link
 * InterleavingTest} finds more faults between requests, and this test finds faults between threads.
 * {@code -Dtest.model-histories=100000} tries more histories.
 *
 * <p>Makes only calls that take effect at one moment. A copy, a merge or an import may or may not
 * contain concurrent adds. While a rebuild is open, an add goes to two generations one after the
 * other, so other calls may see a part of it before its response. A call with {@code
 * FILTER_CHANGED} may or may not have taken effect.
 */
@Tag("fuzz")
@OnRedis
class LinearizabilityTest {

  private static final long SEED = Long.getLong("test.model-seed", System.nanoTime());
  private static final int HISTORIES = TestExtent.of("test.model-histories", 300, 6_000);

  /** Enough for some to wait for the two parallel calls of an instance. */
  private static final int CLIENTS = 8;

  private static final int CALLS = 3;

  /** The number of histories for a filter that is only added to and tested. */
  private static final int ROUNDS = 60;

  private static final int FRESH = 6;

  private static TestInstance one;
  private static TestInstance other;

  /** The filter is kept, so that both instances get copies of it. */
  @Test
  void addsAndTests() {
    System.out.printf("linearizability: -Dtest.model-seed=%d%n", SEED);
    ModelledService service = null;
    ModelFilters model = null;
    for (var i = 0; i < HISTORIES; i++) {
      if (i % ROUNDS == 0) {
        service =
            new ModelledService(
                List.of(one, other), "linear%d-%d-".formatted(SEED & 0xffffffffL, i));
        model = new ModelFilters();
        var create = call(Kind.CREATE, List.of(), 0);
        service.call(create);
        model.call(create);
      }
      // Earlier histories have added their elements. These are new.
      var first = i % ROUNDS * FRESH;
      check(service, model, EnumSet.of(Kind.ADD, Kind.TEST), first, SEED + i);
      var all = call(Kind.ADD, IntStream.range(first, first + FRESH).boxed().toList(), i % 2);
      service.call(all);
      model.call(all);
    }
    assertTrue(
        Stream.of(one, other)
            .allMatch(instance -> instance.count("bloom.copies.tests", "decided", "copy") > 0),
        "no test was answered from a copy");
    assertTrue(
        Stream.of(one, other).allMatch(instance -> instance.count("bloom.coalesced.calls") > 0),
        "no calls were shared");
  }

  @Test
  void filtersThatComeAndGo() {
    System.out.printf("linearizability: -Dtest.model-seed=%d%n", SEED);
    for (var i = 0; i < HISTORIES / 3; i++) {
      var service =
          new ModelledService(List.of(one, other), "again%d-%d-".formatted(SEED & 0xffffffffL, i));
      var model = new ModelFilters();
      var create = call(Kind.CREATE, List.of(), 0);
      service.call(create);
      model.call(create);
      check(service, model, EnumSet.copyOf(InterleavingTest.LIFE), 0, SEED + i);
      service.call(call(Kind.DELETE, List.of(), 0));
      service.call(new ModelCall(Kind.DELETE, 1, 1, 0, List.of(), false, 0));
    }
  }

  private static ModelCall call(Kind kind, List<Integer> elements, int instance) {
    return new ModelCall(kind, 0, 0, 0, elements, false, instance);
  }

  private static void check(
      ModelledService service, ModelFilters model, Set<Kind> kinds, int first, long seed) {
    var events = history(service, kinds, first, seed);
    new Linearization(model, false).check(events, "-Dtest.model-seed=" + SEED);
  }

  private static List<ModelEvent> history(
      ModelledService service, Set<Kind> kinds, int first, long seed) {
    var barrier = new CyclicBarrier(CLIENTS);
    var events = new ConcurrentLinkedQueue<ModelEvent>();
    InParallel.atOnce(
        CLIENTS,
        client -> {
          var calls = calls(new Random(seed * CLIENTS + client), kinds, first, client % 2);
          awaitAll(barrier);
          for (var call : calls) {
            var begun = System.nanoTime();
            var answer = service.call(call);
            events.add(new ModelEvent(call, answer, begun, System.nanoTime()));
          }
        });
    return List.copyOf(events);
  }

  private static void awaitAll(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<ModelCall> calls(Random random, Set<Kind> kinds, int first, int instance) {
    var weighted = Kind.weighted(kinds);
    return IntStream.range(0, CALLS)
        .mapToObj(
            i ->
                new ModelCall(
                    weighted.get(random.nextInt(weighted.size())),
                    kinds.contains(Kind.CREATE) ? random.nextInt(2) : 0,
                    random.nextInt(2),
                    0,
                    random.ints(1 + random.nextInt(3), first, first + FRESH).boxed().toList(),
                    random.nextBoolean(),
                    instance))
        .toList();
  }
}
