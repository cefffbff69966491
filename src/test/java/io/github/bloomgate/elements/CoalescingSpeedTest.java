package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures requests of one element or a few with coalescing on and off, in turns, and prints the
 * medians and their ratio. Clients are as those of HTTP: each on an event loop, and each sends its
 * next request when the last is answered. Figures are worth something only when it runs alone, by
 * {@code -Dtest=CoalescingSpeedTest}.
 */
@Tag("long")
class CoalescingSpeedTest {

  private static final int ROUNDS = Integer.getInteger("bloomgate.test.speed-rounds", 7);
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final int EVENT_LOOPS = 2;
  private static final int MEMBERS = 100_000;

  @Test
  void singleElementsAndSmallBatches() throws Exception {
    var vertx = Vertx.vertx();
    try (var redis = TestRedis.started();
        var on = new TestInstance(redis);
        var off = TestInstance.withoutCoalescing(redis)) {
      var name = name();
      on.create(name, TestInstance.sized(1_000_000, 0.01, WhenFull.ACCEPT));
      for (var from = 0; from < MEMBERS; from += ElementService.MAX_ELEMENTS) {
        on.add(name, elements("member " + from / ElementService.MAX_ELEMENTS + " ", 10_000));
      }
      var loops = new Context[EVENT_LOOPS];
      Arrays.setAll(loops, i -> vertx.getOrCreateContext());
      for (var clients : new int[] {32, 128, 8, 2, 1}) {
        compare("test 1", clients, loops, on, off, service -> i -> test(service, name, i, 1));
      }
      for (var clients : new int[] {32, 1}) {
        compare("add 1", clients, loops, on, off, service -> i -> add(service, name, i));
      }
      for (var clients : new int[] {32, 2}) {
        compare("test 100", clients, loops, on, off, service -> i -> test(service, name, i, 100));
      }
      assertTrue(on.count("bloom.coalesced.calls") > 0);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  /** Half of the elements are there. */
  private static Uni<Answers> test(TestInstance service, FilterName name, long i, int size) {
    var from = i * size % 10_000;
    var prefix = i % 2 == 0 ? "member 3 " : "stranger ";
    if (size == 1) {
      return service.elements.test(name, List.of(element(prefix + from)));
    }
    var batch = new byte[size][];
    Arrays.setAll(batch, j -> element(prefix + (from + j)));
    return service.elements.test(name, Arrays.asList(batch));
  }

  private static Uni<Answers> add(TestInstance service, FilterName name, long i) {
    return service.elements.add(
        name, List.of(element("new " + System.identityHashCode(service) + i)));
  }

  private static void compare(
      String what, int clients, Context[] loops, TestInstance on, TestInstance off, Kind kind)
      throws Exception {
    var with = new Figures[ROUNDS];
    var without = new Figures[ROUNDS];
    for (var round = -1; round < ROUNDS; round++) {
      var first = round % 2 == 0;
      var one = run(clients, loops, kind.by(first ? on : off));
      var other = run(clients, loops, kind.by(first ? off : on));
      if (round >= 0) {
        with[round] = first ? one : other;
        without[round] = first ? other : one;
      }
    }
    System.out.printf(
        "%-9s %3d clients: %,9.0f/s with coalescing, %,9.0f/s without, ratio %.2f;"
            + " CPU of the service a request %.1f and %.1f us, ratio %.2f%n",
        what,
        clients,
        median(with, Figures::rate),
        median(without, Figures::rate),
        median(with, Figures::rate) / median(without, Figures::rate),
        median(with, Figures::cpuMicros),
        median(without, Figures::cpuMicros),
        median(with, Figures::cpuMicros) / median(without, Figures::cpuMicros));
  }

  private static Figures run(int clients, Context[] loops, LongFunction<Uni<Answers>> request)
      throws InterruptedException {
    var ended = new CountDownLatch(clients);
    var counts = new long[clients * 16];
    var cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    var began = System.nanoTime();
    for (var i = 0; i < clients; i++) {
      var client = new Client(request, i, began + ROUND_NANOS, counts, ended);
      loops[i % loops.length].runOnContext(ignored -> client.next());
    }
    assertTrue(ended.await(60, TimeUnit.SECONDS));
    var nanos = System.nanoTime() - began;
    var used = ProcessHandle.current().info().totalCpuDuration().orElseThrow().minus(cpu);
    var requests = Arrays.stream(counts).sum();
    return new Figures(requests * 1e9 / nanos, used.toNanos() / 1e3 / requests);
  }

  private static double median(Figures[] rounds, ToDoubleFunction<Figures> figure) {
    var sorted = Arrays.stream(rounds).mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /**
   * What a round shows.
   *
   * @param rate requests a second
   * @param cpuMicros time of the processor that a request took, of this process without Redis; on a
   *     shared machine the steadier figure
   */
  private record Figures(double rate, double cpuMicros) {}

  @FunctionalInterface
  private interface Kind {
    LongFunction<Uni<Answers>> by(TestInstance service);
  }

  private record Client(
      LongFunction<Uni<Answers>> request,
      int number,
      long end,
      long[] counts,
      CountDownLatch ended) {

    private void next() {
      if (System.nanoTime() - end >= 0) {
        ended.countDown();
        return;
      }
      var i = counts[number * 16]++;
      request.apply(number * 1_000_003L + i).subscribe().with(answer -> next());
    }
  }
}
