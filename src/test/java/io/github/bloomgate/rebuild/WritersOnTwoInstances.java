package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.HastyClock;
import io.github.bloomgate.support.SourceOfTruth;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Writers that add elements on two instances, each until it succeeds, and what they count. */
abstract class WritersOnTwoInstances {

  private static final int HASHES = 3;
  private static final int MOST_AT_ONCE = 1_000;

  /** What a writer is told while the filter has another name or changes again and again. */
  private static final Set<ErrorCode> TRY_AGAIN =
      Set.of(ErrorCode.FILTER_NOT_FOUND, ErrorCode.FILTER_CHANGED);

  final long seed = System.nanoTime();
  final Random random = new Random(seed);
  final AtomicLong adds = new AtomicLong();
  final AtomicLong known = new AtomicLong();

  /** How many elements that are new are to be expected to be new for nobody, at most. */
  final DoubleAdder falsePositives = new DoubleAdder();

  final AtomicLong repeated = new AtomicLong();
  final List<CompletableFuture<Void>> beside = new ArrayList<>();

  TestRedis redis;
  TestInstance one;
  TestInstance other;

  /** Takes whatever is under way for abandoned. */
  TestInstance hasty;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    one = new TestInstance(redis);
    other = new TestInstance(redis);
    hasty = new TestInstance(redis, new HastyClock());
  }

  @AfterEach
  void stop() {
    one.close();
    other.close();
    hasty.close();
    redis.close();
  }

  /** Adds new elements, in requests of one and of many, each until it succeeds. */
  void write(
      TestInstance instance,
      FilterName name,
      SourceOfTruth source,
      Random own,
      CompletableFuture<Void> done) {
    while (!done.isDone()) {
      var batch = source.note(own, own.nextInt(4) == 0 ? 1 + own.nextInt(MOST_AT_ONCE) : 1);
      var attempts = 0;
      while (!batch.acknowledged) {
        try {
          attempts++;
          var answers = await(instance.elements.add(name, batch.elements));
          batch.acknowledged = true;
          if (attempts == 1 && !batch.loadedBefore) {
            known.addAndGet(batch.elements.size() - answers.trueCount());
            falsePositives.add(batch.elements.size() * mostFalsePositives(source.elements()));
          }
        } catch (BloomException failure) {
          if (!isToBeTriedAgain(failure)) {
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

  /** As every instance does each half minute, but all the time. */
  void sweep(CompletableFuture<Void> done) {
    while (!done.isDone()) {
      hasty.reconciler.reconcileAbandoned();
    }
  }

  void requireRunning() {
    for (var task : beside) {
      if (task.isCompletedExceptionally()) {
        task.join();
      }
    }
  }

  static void load(TestInstance instance, Filter next, SourceOfTruth source) {
    assertTrue(next.isReady(), "it took seconds to make three segments");
    inRequests(source.read(), part -> instance.loads.load(next, part));
  }

  void assertAllThere(TestInstance instance, FilterName name, SourceOfTruth source) {
    assertThere(instance, name, source.acknowledged(0));
  }

  void assertThere(TestInstance instance, FilterName name, List<byte[]> elements) {
    inRequests(
        elements,
        part ->
            instance
                .elements
                .test(name, part)
                .onFailure(WritersOnTwoInstances::isToBeTriedAgain)
                .retry()
                .indefinitely()
                .invoke(answers -> assertEquals(part.size(), answers.trueCount(), "seed " + seed)));
  }

  private static void inRequests(List<byte[]> elements, Function<List<byte[]>, Uni<?>> request) {
    await(
        Multi.createFrom()
            .iterable(parts(elements))
            .onItem()
            .transformToUni(part -> request.apply(part).replaceWithVoid())
            .merge(2)
            .onItem()
            .ignoreAsUni());
  }

  private static List<List<byte[]>> parts(List<byte[]> elements) {
    var most = ElementService.MAX_ELEMENTS;
    return IntStream.range(0, (elements.size() + most - 1) / most)
        .mapToObj(i -> elements.subList(i * most, Math.min(elements.size(), (i + 1) * most)))
        .toList();
  }

  private static boolean isToBeTriedAgain(Throwable failure) {
    return failure instanceof BloomException error && TRY_AGAIN.contains(error.code());
  }

  FilterParameters parameters() {
    var segments = 1 + random.nextInt(3);
    // So large that the share of elements that are false positives is nothing.
    return TestInstance.shape(segments * (1L << 24) - 64L * random.nextInt(1_000), HASHES);
  }

  /** The rate of the smallest filter with so many elements, or more. */
  private static double mostFalsePositives(int elements) {
    return Math.pow((double) HASHES * elements / ((1L << 24) - 64_000), HASHES);
  }
}
