package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestCounters.counting;
import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestWindows.sized;
import static io.github.bloomgate.support.TestWindows.years;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances with copies of the same segments, while Redis forgets, cuts them off and is full. */
class JournalOutagesTest extends BusyInstances {

  /** What a client may be told while Redis is away. */
  private static final Set<ErrorCode> AWAY =
      Set.of(ErrorCode.STORE_UNAVAILABLE, ErrorCode.STORE_OUTCOME_UNKNOWN);

  private static final int FAULTS = 40;

  private final long seed = System.nanoTime();
  private final List<byte[]> all = elements("shared ", 12_000);
  private final AtomicIntegerArray claims = new AtomicIntegerArray(all.size());
  private final List<List<byte[]>> acknowledged = new CopyOnWriteArrayList<>();
  private final AtomicLong batches = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();

  static List<FilterParameters> kinds() {
    return List.of(ONE, SEVERAL);
  }

  /** All add the same elements, again and again until it is acknowledged. */
  @ParameterizedTest
  @MethodSource("kinds")
  void eachElementIsClaimedAtMostOnceAndNoneIsLost(FilterParameters kind) throws Exception {
    System.out.println("eachElementIsClaimedAtMostOnce: seed " + seed);
    one.create(name, kind);
    var work = new ArrayList<CompletableFuture<Void>>();
    for (var i = 0; i < 4; i++) {
      var instance = i % 2 == 0 ? one : other;
      var random = new Random(seed + i);
      work.add(Beside.run(() -> addAll(instance, random)));
    }
    for (var instance : List.of(one, other)) {
      work.add(Beside.run(() -> testAll(instance, new Random(seed))));
    }
    var random = new Random(seed);
    for (var fault = 0; fault < FAULTS; fault++) {
      awaitMore(work);
      if (random.nextBoolean()) {
        redis.command("SCRIPT", "FLUSH");
      } else {
        redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      }
    }
    stopped.set(true);
    for (var some : work) {
      some.get(TestInstance.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    var total = IntStream.range(0, all.size()).mapToLong(claims::get).sum();
    for (var i = 0; i < all.size(); i++) {
      assertTrue(claims.get(i) <= 1, "element " + i + ", seed " + seed);
    }
    try (var fresh = new TestInstance(redis)) {
      for (var batch : acknowledged) {
        fresh.assertMaybe(name, batch);
      }
      assertTrue(fresh.describe(name).statistics().insertions() >= total, "seed " + seed);
      fresh.assertCountsAreExact(name);
    }
  }

  private void addAll(TestInstance by, Random random) {
    var order = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
    while (!stopped.get()) {
      Collections.shuffle(order, random);
      for (var from = 0; from < order.size() && !stopped.get(); ) {
        var size = random.nextInt(10) == 0 ? 800 : 1 + random.nextInt(60);
        var part = order.subList(from, Math.min(order.size(), from + size));
        from += part.size();
        add(by, List.copyOf(part));
      }
    }
  }

  private void add(TestInstance by, List<Integer> part) {
    var batch = part.stream().map(all::get).toList();
    while (true) {
      try {
        var flags = by.add(name, batch);
        for (var i = 0; i < flags.length; i++) {
          claims.addAndGet(part.get(i), flags[i] ? 1 : 0);
        }
        acknowledged.add(batch);
        batches.incrementAndGet();
        return;
      } catch (BloomException failure) {
        assertTrue(AWAY.contains(failure.code()), failure.getMessage());
      }
    }
  }

  private void testAll(TestInstance by, Random random) {
    while (!stopped.get()) {
      if (!acknowledged.isEmpty()) {
        try {
          by.assertMaybe(name, acknowledged.get(random.nextInt(acknowledged.size())));
        } catch (BloomException failure) {
          assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code(), failure.getMessage());
        }
      }
    }
  }

  private void awaitMore(List<CompletableFuture<Void>> work) {
    var enough = batches.get() + 4;
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () ->
                batches.get() >= enough
                    || work.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
    work.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(w -> w.join());
  }

  /** Bringing a journal home is nobody's request: what came at the same time is answered. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTestIsAnsweredThoughTheJournalCannotComeHome(boolean drop) {
    try (var steps = busy()) {
      var resting = steps.journals.rest(Duration.ZERO, drop ? Duration.ZERO : Duration.ofHours(1));
      resting.subscribe().with(done -> {}, failure -> {});
      var testing = steps.elements.test(name, WARM).subscribeAsCompletionStage();
      redis.command("CONFIG", "SET", "maxmemory", "1");
      steps.steps().release();
      assertEquals(WARM.size(), testing.join().trueCount());
      redis.command("CONFIG", "SET", "maxmemory", "0");
      other.assertCountsAreExact(name);
    }
  }

  /** Whoever adds is refused, or not told what became of it; whoever tests changes nothing. */
  @ParameterizedTest
  @CsvSource({
    "20, STORE_FULL",
    "20, STORE_OUTCOME_UNKNOWN",
    "20, STORE_UNAVAILABLE",
    "2000, STORE_FULL",
    "2000, STORE_OUTCOME_UNKNOWN",
    "2000, STORE_UNAVAILABLE"
  })
  void aTestIsAnsweredThoughTheAddBesideItFails(int count, ErrorCode code) {
    try (var steps = busy()) {
      var adding = steps.elements.add(name, elements("some ", count)).subscribeAsCompletionStage();
      var testing = steps.elements.test(name, WARM).subscribeAsCompletionStage();
      switch (code) {
        case STORE_FULL -> redis.command("CONFIG", "SET", "maxmemory", "1");
        case STORE_UNAVAILABLE -> redis.command("REPLICAOF", "127.0.0.1", "1");
        default -> {
          steps.go(1);
          steps.steps().execute();
          steps.steps().lose();
        }
      }
      steps.steps().release();
      assertEquals(WARM.size(), testing.join().trueCount());
      var failure = assertThrows(CompletionException.class, adding::join).getCause();
      assertEquals(code, ((BloomException) failure).code());
      redis.command("REPLICAOF", "NO", "ONE");
      redis.command("CONFIG", "SET", "maxmemory", "0");
      other.assertCountsAreExact(name);
    }
  }

  static List<FilterParameters> layers() {
    return List.of(ONE, GrowTest.growing(200, 0.01, 1 << 20));
  }

  /** It journals nothing, however many layers it asks. */
  @ParameterizedTest
  @MethodSource("layers")
  void anAddOfWhatIsKnownIsSentAgainWhenItsAnswerIsLost(FilterParameters kind) {
    try (var steps = busy(kind)) {
      var adding = steps.elements.add(name, WARM).subscribeAsCompletionStage();
      steps.go(1);
      assertTrue(steps.steps().canExecute(), "nothing is asked");
      steps.steps().execute();
      steps.steps().lose();
      steps.steps().release();
      assertEquals(0, adding.join().trueCount());
      other.assertCountsAreExact(name);
    }
  }

  static List<FilterParameters> contents() {
    return List.of(ONE, SEVERAL, counting(20_000), sized(20_000, years(8, true)));
  }

  /** What is journaled comes into the bitmap, which takes no more memory. */
  @ParameterizedTest
  @MethodSource("contents")
  void aFullRedisIsDescribedAndExportedFrom(FilterParameters kind) throws IOException {
    var state = SegmentStore.stateKey(one.create(name, kind), 0);
    one.add(name, WARM);
    var before = one.describe(name).statistics().insertions();
    one.add(name, elements("some ", 100));
    assertNotEquals(field(state, "folded"), field(state, "tip"));

    redis.command("CONFIG", "SET", "maxmemory", "1");

    assertEquals(before + 100, other.describe(name).statistics().insertions());
    other.exports.begin(name, FileFormat.BLOOMGATE).writeTo(OutputStream.nullOutputStream());
    assertEquals(field(state, "folded"), field(state, "tip"));
    redis.command("CONFIG", "SET", "maxmemory", "0");
    other.assertCountsAreExact(name);
  }

  private String field(String state, String field) {
    return redis.command("HGET", state, field).toString();
  }

  /** It was journaled, and whether it was new is known: the rest does not matter. */
  @Test
  void anAddIsAnsweredThoughTheAnswerToARestIsLost() {
    try (var steps = busy()) {
      steps.journals.rest(Duration.ZERO, Duration.ZERO).subscribe().with(done -> {}, lost -> {});
      var some = elements("some ", 20);
      var adding = steps.elements.add(name, some).subscribeAsCompletionStage();
      steps.go(2);
      assertTrue(steps.steps().canExecute(), "nothing is brought home");
      steps.steps().lose();
      steps.steps().release();
      assertEquals(some.size(), adding.join().trueCount());
      other.assertMaybe(name, some);
      other.assertCountsAreExact(name);
    }
  }
}
