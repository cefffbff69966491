package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.SourceOfTruth;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Writers that add elements on two instances and retry until they succeed, and the numbers of new
 * elements.
 */
abstract class WritersOnTwoInstances {

  private static final int MOST_AT_ONCE = 300;

  /** Errors that writers retry while the filter is renamed or keeps changing. */
  private static final Set<ErrorCode> TRY_AGAIN =
      Set.of(ErrorCode.FILTER_NOT_FOUND, ErrorCode.FILTER_CHANGED);

  final long seed = System.nanoTime();
  final Random random = new Random(seed);
  final AtomicLong adds = new AtomicLong();

  /** New elements that no writer saw as new. */
  final AtomicLong known = new AtomicLong();

  final AtomicLong repeated = new AtomicLong();
  final List<CompletableFuture<Void>> parallel = new ArrayList<>();

  TestRedis redis;
  TestInstance one;
  TestInstance other;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    one = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterEach
  void stop() {
    one.close();
    other.close();
    redis.close();
  }

  /** Adds new elements, in small and large requests, and retries each until it succeeds. */
  void write(
      TestInstance instance,
      FilterName name,
      SourceOfTruth source,
      Random own,
      int most,
      CompletableFuture<Void> done) {
    while (!done.isDone() && source.elements() < most) {
      var batch = source.note(own, own.nextInt(4) == 0 ? 1 + own.nextInt(MOST_AT_ONCE) : 1);
      var attempts = 0;
      while (!batch.acknowledged) {
        try {
          attempts++;
          var answers = await(instance.elements.add(name, batch.elements));
          batch.acknowledged = true;
          if (attempts == 1 && !batch.loadedBefore) {
            known.addAndGet(batch.elements.size() - answers.trueCount());
          }
        } catch (BloomException failure) {
          if (!TRY_AGAIN.contains(failure.code())) {
            throw failure;
          }
          repeated.incrementAndGet();
        }
      }
      adds.addAndGet(batch.elements.size());
      if (own.nextInt(4) == 0) {
        assertThere(instance, name, batch.elements);
      }
    }
  }

  void requireRunning() {
    for (var task : parallel) {
      if (task.isCompletedExceptionally()) {
        task.join();
      }
    }
  }

  static void load(Rebuild rebuild, SourceOfTruth source) {
    inRequests(source.read(), part -> await(rebuild.load(part)));
  }

  void assertThere(TestInstance instance, FilterName name, List<byte[]> elements) {
    inRequests(elements, part -> assertEquals(part.size(), maybe(instance, name, part), what()));
  }

  private static int maybe(TestInstance instance, FilterName name, List<byte[]> elements) {
    while (true) {
      try {
        return await(instance.elements.test(name, elements)).trueCount();
      } catch (BloomException failure) {
        if (!TRY_AGAIN.contains(failure.code())) {
          throw failure;
        }
      }
    }
  }

  String what() {
    return "seed " + seed;
  }

  private static void inRequests(List<byte[]> elements, Consumer<List<byte[]>> request) {
    for (var from = 0; from < elements.size(); from += ElementService.MAX_ELEMENTS) {
      request.accept(
          elements.subList(from, Math.min(elements.size(), from + ElementService.MAX_ELEMENTS)));
    }
  }
}
