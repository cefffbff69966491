package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws 1 and 4 while many add to one filter at once. */
class ConcurrencyLawsTest {

  private static final int THREADS = 6;

  private static TestRedis redis;
  private static TestInstance one;
  private static TestInstance other;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    one = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
    redis.close();
  }

  static List<FilterParameters> shapes() {
    return List.of(
        TestInstance.sized(20_000, 0.001, WhenFull.ACCEPT),
        TestInstance.shape(64 * 1024, 1),
        TestInstance.shape(2_000_000, 64),
        TestInstance.SEVERAL);
  }

  /** Every thread adds the same elements, each in an order and batches of its own. */
  @ParameterizedTest
  @MethodSource("shapes")
  void everyElementIsNewForOneOfThoseWhoAddIt(FilterParameters parameters) throws Exception {
    var name = name();
    var seed = System.nanoTime();
    System.out.println("everyElementIsNewForOneOfThoseWhoAddIt: seed " + seed);
    one.create(name, parameters);
    var all = elements("shared ", 5_000);
    var news = new AtomicIntegerArray(all.size());
    inThreads(
        thread -> {
          var random = new Random(seed + thread);
          var order = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
          Collections.shuffle(order, random);
          for (var from = 0; from < order.size(); ) {
            var part = order.subList(from, Math.min(order.size(), from + 1 + random.nextInt(900)));
            from += part.size();
            var instance = thread % 2 == 0 ? one : other;
            var batch = part.stream().map(all::get).toList();
            var flags = instance.add(name, batch);
            for (var i = 0; i < flags.length; i++) {
              if (flags[i]) {
                news.incrementAndGet(part.get(i));
              }
            }
            instance.assertMaybe(name, batch);
          }
          return null;
        });
    var total = 0;
    for (var i = 0; i < all.size(); i++) {
      assertTrue(news.get(i) <= 1, "element " + i + " was new " + news.get(i) + " times");
      total += news.get(i);
    }
    assertEquals(total, one.describe(name).statistics().insertions());
    one.assertCountsAreExact(name);
    one.assertMaybe(name, all);
    other.assertMaybe(name, all);
    // An element that was new for nobody was a false positive from the first.
    var share = (double) (all.size() - total) / all.size();
    assertTrue(share <= 0.1, "%f were known from the first".formatted(share));
  }

  @Test
  void everyThreadsOwnElementsAreThereAndCounted() throws Exception {
    var name = name();
    one.create(name, TestInstance.sized(60_000, 0.01, WhenFull.ACCEPT));
    var news = new AtomicInteger();
    inThreads(
        thread -> {
          var instance = thread % 2 == 0 ? one : other;
          for (var round = 0; round < 20; round++) {
            var batch = elements("own " + thread + "." + round + ".", 500);
            for (var flag : instance.add(name, batch)) {
              news.addAndGet(flag ? 1 : 0);
            }
            instance.assertMaybe(name, batch);
            one.describe(name);
          }
          return null;
        });
    assertEquals(news.get(), one.describe(name).statistics().insertions());
    one.assertCountsAreExact(name);
    for (var thread = 0; thread < THREADS; thread++) {
      for (var round = 0; round < 20; round++) {
        one.assertMaybe(name, elements("own " + thread + "." + round + ".", 500));
      }
    }
  }

  @Test
  void aFilterThatRejectsTakesExactlyItsN() throws Exception {
    var name = name();
    var limit = 3_000;
    one.create(name, TestInstance.sized(limit, 1e-6, WhenFull.REJECT));
    var applied = new AtomicInteger();
    inThreads(
        thread -> {
          for (var round = 0; round < 10; round++) {
            var batch = elements("limited " + thread + "." + round + ".", 100);
            try {
              for (var flag : (thread % 2 == 0 ? one : other).add(name, batch)) {
                applied.addAndGet(flag ? 1 : 0);
              }
              one.assertMaybe(name, batch);
            } catch (BloomException full) {
              assertEquals(ErrorCode.FILTER_FULL, full.code());
              var count = (int) ((ProblemDetails.Applied) full.facts().orElseThrow()).count();
              applied.addAndGet(count);
              one.assertMaybe(name, batch.subList(0, count));
            }
          }
          return null;
        });
    assertEquals(limit, one.describe(name).statistics().insertions());
    one.assertCountsAreExact(name);
    // A rate of one in a million: hardly an element was known from the first.
    assertTrue(Math.abs(limit - applied.get()) <= 1, applied + " applied");
  }

  @Test
  void theCountOfAFullFilterIsThatOfTheElementsBeforeTheFirstRefused() {
    var name = name();
    one.create(name, TestInstance.sized(700, 1e-6, WhenFull.REJECT));
    var known = elements("known ", 600);
    one.add(name, known);
    // New ones until it is full in the first call, then known ones, which a later call would take.
    var request = new ArrayList<>(elements("new ", 120));
    request.addAll(known);
    var full = assertThrows(BloomException.class, () -> one.add(name, request));
    assertEquals(100, ((ProblemDetails.Applied) full.facts().orElseThrow()).count());
    assertEquals(
        100, TestInstance.await(one.elements.test(name, request.subList(0, 120))).trueCount());
  }

  private static void inThreads(ThreadWork work) throws Exception {
    var threads = Executors.newFixedThreadPool(THREADS);
    try {
      var tasks =
          IntStream.range(0, THREADS)
              .mapToObj(thread -> (Callable<Object>) () -> work.run(thread))
              .toList();
      for (var done : threads.invokeAll(tasks, 120, TimeUnit.SECONDS)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @FunctionalInterface
  private interface ThreadWork {
    Object run(int thread) throws Exception;
  }
}
