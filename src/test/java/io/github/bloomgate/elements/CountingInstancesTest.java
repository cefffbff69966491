package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestCounters.assertCountsAreExact;
import static io.github.bloomgate.support.TestCounters.counting;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that count, under several instances and large. */
class CountingInstancesTest {

  private static final int BATCH = 10_000;

  private static TestRedis redis;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  /**
   * Each client removes what it has added itself, while the others add and remove the same: at each
   * moment what it holds is there, and at the end each element is there as often as it was added
   * and not removed.
   */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachAddAndEachRemovalCounts(boolean copies) throws Exception {
    var seed = System.nanoTime();
    System.out.printf("counting instances: seed %d%n", seed);
    try (var one = copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis);
        var two = new TestInstance(redis)) {
      var name = name();
      var filter = one.create(name, counting(20_000));
      var all = elements("e", 2_000);
      var held = new AtomicIntegerArray(all.size());
      var failures = new ConcurrentLinkedQueue<Throwable>();
      var clients = new ArrayList<Thread>();
      for (var service : List.of(one, two, one, two)) {
        var random = new Random(seed + clients.size());
        clients.add(new Thread(() -> use(service, name, all, held, random)));
      }
      for (var client : clients) {
        client.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        client.start();
      }
      for (var client : clients) {
        client.join();
      }
      assertEquals(List.of(), List.copyOf(failures), "seed " + seed);
      var insertions = 0;
      for (var service : List.of(one, two)) {
        var counts = service.count(name, all);
        insertions = 0;
        for (var i = 0; i < counts.length; i++) {
          assertEquals(held.get(i), counts[i], "of element " + i + ", seed " + seed);
          insertions += counts[i];
        }
      }
      assertEquals(insertions, one.describe(name).statistics().insertions());
      assertCountsAreExact(one, filter);
    }
  }

  /** Adds what it does not hold and removes what it does, batch by batch. */
  private static void use(
      TestInstance service,
      FilterName name,
      List<byte[]> all,
      AtomicIntegerArray held,
      Random random) {
    var own = new boolean[all.size()];
    for (var round = 0; round < 150; round++) {
      var size = random.nextInt(10) == 0 ? 800 : 40;
      var adds = random.nextInt(5) < 3;
      var indexes =
          random
              .ints(0, all.size())
              .distinct()
              .filter(i -> own[i] != adds)
              .limit(Math.min(size, unlike(own, adds)))
              .toArray();
      if (indexes.length == 0) {
        continue;
      }
      var some = IntStream.of(indexes).mapToObj(all::get).toList();
      if (adds) {
        service.add(name, some);
      } else {
        assertEquals(some.size(), count(service.remove(name, some)), "removed");
      }
      for (var i : indexes) {
        own[i] = adds;
        held.addAndGet(i, adds ? 1 : -1);
      }
      service.assertMaybe(
          name, IntStream.range(0, own.length).filter(i -> own[i]).mapToObj(all::get).toList());
    }
  }

  private static long unlike(boolean[] own, boolean wanted) {
    return IntStream.range(0, own.length).filter(i -> own[i] != wanted).count();
  }

  /**
   * Law 3, full and when half of it was removed; and law 1 for those that stay. Two instances add
   * and remove at the same time.
   */
  @Tag("slow")
  @Test
  void aMillionElementsKeepTheRate() {
    try (var service = new TestInstance(redis);
        var other = new TestInstance(redis)) {
      var name = name();
      service.create(name, counting(1_000_000, 0.01, WhenFull.ACCEPT));
      inTurn(1_000_000, service, other, (instance, from) -> instance.add(name, numbers("e", from)));
      for (var from = 0; from < 1_000_000; from += BATCH) {
        service.assertMaybe(name, numbers("e", from));
      }
      assertRate(service, name, 0.01);
      var statistics = service.describe(name).statistics();
      assertEquals(1_000_000, statistics.insertions());
      assertEquals(1e6, (double) statistics.approximateElementCount().orElseThrow(), 5_000);
      assertEquals(0.5, statistics.fillRatio(), 0.02);
      inTurn(
          500_000,
          service,
          other,
          (instance, from) ->
              assertEquals(BATCH, count(instance.remove(name, numbers("e", from)))));
      for (var from = 500_000; from < 1_000_000; from += BATCH) {
        service.assertMaybe(name, numbers("e", from));
      }
      var left = 0;
      for (var from = 0; from < 500_000; from += BATCH) {
        left += count(service.test(name, numbers("e", from)));
      }
      assertTrue(left <= 0.002 * 500_000, left + " are left");
      assertEquals(500_000, service.describe(name).statistics().insertions());
      assertCountsAreExact(service, service.describe(name).filter());
    }
  }

  /** Does something with every batch of some elements, two instances at once. */
  private static void inTurn(
      int elements,
      TestInstance one,
      TestInstance other,
      BiConsumer<TestInstance, Integer> something) {
    var both =
        Stream.of(one, other)
            .map(
                instance ->
                    Beside.run(
                        () -> {
                          var first = instance == one ? 0 : BATCH;
                          for (var from = first; from < elements; from += 2 * BATCH) {
                            something.accept(instance, from);
                          }
                        }))
            .toList();
    both.forEach(CompletableFuture::join);
  }

  private static void assertRate(TestInstance service, FilterName name, double promised) {
    var wrong = 0;
    for (var from = 0; from < 1_000_000; from += BATCH) {
      wrong += count(service.test(name, numbers("never", from)));
    }
    var rate = wrong / 1_000_000.0;
    assertTrue(rate <= 1.1 * promised, () -> "measured " + rate);
    var told = service.describe(name).statistics().estimatedFalsePositiveProbability();
    assertEquals(rate, told, 0.001);
  }

  private static List<byte[]> numbers(String prefix, int from) {
    return IntStream.range(from, from + BATCH)
        .mapToObj(i -> TestInstance.element(prefix + i))
        .toList();
  }
}
