package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.failureOf;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.openNext;
import static io.github.bloomgate.support.TestInstance.sized;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.threads.Await;
import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Adds, tests and removals while something happens to the filter. */
@OnRedis
class ElementServiceTest {

  private static final FilterParameters PLAIN = TestInstance.shape(1 << 16, 7);
  private static final FilterParameters COUNTING = TestInstance.counting(1_000);
  private static final FilterParameters OF_TEXTS =
      FilterParameters.forShape(
          HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow(), 1 << 16, 6, WhenFull.ACCEPT);
  private static final List<byte[]> NO_TEXT = List.of(new byte[] {(byte) 0xff});

  private static TestRedis redis;
  private static TestInstance one;
  private static TestInstance other;
  @OnRedis.Special private static TestInstance steps;

  @BeforeAll
  static void start() {
    steps = TestInstance.stepwise(redis);
  }

  /** The state of the filter still names the expired rebuild, until another is opened. */
  @Test
  void anExpiredRebuildLacksNothing() {
    var name = name();
    one.create(name, sized(1_000, 0.01, WhenFull.ACCEPT));
    openNext(one, name);
    redis.command("DEL", Keys.next(name));
    var add =
        new LongAdd(
            one.elements, one.live, name, Durability.PRIMARY, Optional.empty(), Client.SERVICE);
    assertEquals(10, await(add.apply(elements("a", 10))).trueCount());
    add.acknowledge();
    one.assertMaybe(name, elements("a", 10));
  }

  /** Under its new name, it may have been rebuilt before the elements were acknowledged. */
  @Test
  void aRenamedFilterMayLackTheElements() {
    var name = name();
    one.create(name, sized(1_000, 0.01, WhenFull.ACCEPT));
    var add =
        new LongAdd(
            one.elements, one.live, name, Durability.PRIMARY, Optional.empty(), Client.SERVICE);
    assertEquals(10, await(add.apply(elements("a", 10))).trueCount());
    one.renames.rename(name, name(), false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, add::acknowledge);
  }

  @Test
  void aQuietRenamedFilterIsFolded() {
    var name = name();
    var newName = name();
    var filter = one.create(name, sized(1_000, 0.01, WhenFull.ACCEPT));
    one.add(name, elements("a", 10));
    one.renames.rename(name, newName, false);
    // The instance knows the filter by its old name only, and the journal is quiet.
    one.fold();
    one.assertMaybe(newName, elements("a", 10));
    Awaitility.await()
        .until(
            () -> {
              one.rounds.rest(Duration.ZERO, Duration.ZERO);
              return bitsSet(TestInstance.segmentKey(filter, 0)) > 0;
            });
  }

  /** With few known elements, these are sent too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 240, 260, 1_000})
  void aBatchReportsItsNewElementsExactly(int known) {
    var name = name();
    one.create(name, sized(10_000, 1e-6, WhenFull.REJECT));
    one.add(name, elements("a", known));
    var flags = await(one.elements.add(name, elements("a", 1_000))).flags();
    for (var i = 0; i < flags.length; i++) {
      assertEquals(i >= known, flags[i], "element " + i);
    }
    assertEquals(1_000, one.descriptions.describe(name, Client.SERVICE).statistics().insertions());
    one.assertMaybe(name, elements("a", 1_000));
  }

  private static int bitsSet(String key) {
    return redis.command("BITCOUNT", key, "0", "999").toInteger();
  }

  /** A retry would remove elements twice. */
  @Test
  void aRemovalThatLosesItsFilterHalfwayReportsIt() {
    var name = large();
    var some = elements("a", 20);
    one.add(name, some);
    var removal =
        beginHalf(
            () -> steps.elements.remove(name, some, Durability.PRIMARY, Client.SERVICE),
            () -> sum(one.count(name, some)) < 20,
            "removed in part");
    assertTrue(sum(one.count(name, some)) > 0, "the removal takes several calls");
    redis.command("SET", Keys.state(name), "of another type");
    finish(removal);
    assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failureOf(removal).orElseThrow().code());
    redis.command("DEL", Keys.state(name));
  }

  /** A retry would add elements twice. */
  @Test
  void anAddThatLacksTheSecretOfARebuildHalfwayReportsIt() {
    var name = large();
    var some = elements("a", 20);
    one.add(name, some);
    var add =
        beginHalf(
            () -> steps.elements.add(name, some),
            () -> sum(one.count(name, some)) > 20,
            "added in part");
    assertTrue(sum(one.count(name, some)) < 40, "the add takes several calls");
    try (var keyed = TestInstance.withSecrets(redis, "e5".repeat(32))) {
      var next =
          new Counting(WhenFull.ACCEPT)
              .parameters(HashSchemes.named("bloomgate-1-keyed").orElseThrow(), 100, 0.01);
      var rebuild = keyed.rebuilds.open(name, live -> next, TestInstance.MAX_WAIT);
      finish(add);
      var failure = failureOf(add).orElseThrow();
      assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failure.code());
      var applied = sum(one.count(name, some)) - 20;
      assertTrue(
          failure.getMessage().contains(applied + " of the 20 elements"), failure.getMessage());
      rebuild.abort();
    }
  }

  /** A retry would add the elements to the first filter again. */
  @Test
  void anAddToSeveralFiltersThatAFewHaveReportsIt() {
    var names = List.of(name(), name());
    var some = elements("a", 3);
    for (var name : names) {
      one.create(name, COUNTING);
      one.add(name, some);
    }
    // The segment of the other filter must be read first.
    steps.steps().release();
    steps.test(names.get(0), some);
    steps.live.get(names.get(1));
    var add =
        beginHalf(
            () ->
                steps.elements.addToAll(
                    names, some, Durability.PRIMARY, Optional.empty(), Client.SERVICE),
            () -> sum(one.count(names.get(0), some)) == 6,
            "added to the first");
    redis.command("REPLICAOF", "127.0.0.1", "1");
    try {
      finish(add);
    } finally {
      redis.command("REPLICAOF", "NO", "ONE");
    }
    assertEquals(3, sum(one.count(names.get(1), some)));
    var failure = failureOf(add).orElseThrow();
    assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failure.code(), failure.getMessage());
    assertEquals(
        new ProblemDetails.AddedTo(List.of(names.get(0).value())), failure.details().orElseThrow());
  }

  /** A counting filter of several segments. A call moves only a few of them. */
  private static FilterName large() {
    var name = name();
    one.create(name, TestInstance.counting(3_000_000, 0.01, WhenFull.ACCEPT));
    return name;
  }

  /** Begins a change, and makes steps until another instance sees a part of it. */
  private static CompletableFuture<Void> beginHalf(
      Supplier<Uni<?>> change, BooleanSupplier isHalf, String what) {
    steps.steps().hold();
    // Waits without a time limit, because StepThreads recognizes only such waits.
    var begun = steps.begin(() -> Await.await(change.get()));
    for (var i = 0; i < 10 && !isHalf.getAsBoolean(); i++) {
      steps.go(1);
    }
    assertTrue(isHalf.getAsBoolean(), what);
    return begun;
  }

  private static void finish(CompletableFuture<Void> begun) {
    for (var i = 0; i < 1_000 && !begun.isDone(); i++) {
      steps.go(1);
    }
    assertTrue(begun.isDone(), "no answer");
  }

  private static int sum(byte[] counts) {
    var sum = 0;
    for (var count : counts) {
      sum += count;
    }
    return sum;
  }

  /** The caller is an event loop. */
  @Test
  void longElementsOfASlowSchemeAreHashedByAWorker() {
    var name = name();
    var scheme = HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow();
    one.create(name, FilterParameters.forShape(scheme, 1 << 16, 255, WhenFull.ACCEPT));
    one.test(name, List.of(element(1)));

    assertSame(Thread.currentThread(), hashing(name, 100));
    assertNotSame(Thread.currentThread(), hashing(name, ElementEncoding.MAX_ELEMENT_BYTES));
  }

  /** So that the calls of other requests get in between. */
  @Test
  void aRequestReadsAFewFiltersAtATime() {
    var answers = testOfMissing(true);
    assertEquals(100, callsUntil(answers));
    assertTrue(answers.join().isEmpty());
  }

  @Test
  void aRequestReadsNoMoreFiltersAfterTheFirstFailure() {
    var answers = testOfMissing(false);
    assertTrue(callsUntil(answers) <= 32);
    assertFails(ErrorCode.FILTER_NOT_FOUND, Uni.createFrom().completionStage(answers));
  }

  private static CompletableFuture<Map<FilterName, Flags>> testOfMissing(boolean mayBeMissing) {
    steps.steps().release();
    // Loads the script.
    assertFails(
        ErrorCode.FILTER_NOT_FOUND, steps.elements.test(name(), elements("a", 1), Client.SERVICE));
    steps.steps().hold();
    var names = Stream.generate(TestInstance::name).limit(100).toList();
    return steps
        .elements
        .testAll(names, elements("a", 1), mayBeMissing, Client.SERVICE)
        .subscribeAsCompletionStage();
  }

  /** The calls to Redis until an answer, at most 16 at once. */
  private static int callsUntil(CompletableFuture<?> answer) {
    var calls = 0;
    while (!answer.isDone()) {
      var atOnce = 0;
      for (; steps.steps().canExecute(); atOnce++) {
        steps.steps().execute();
      }
      assertTrue(atOnce > 0 && atOnce <= 16, atOnce + " calls at once");
      calls += atOnce;
      while (steps.steps().canAnswer()) {
        steps.steps().answer();
      }
    }
    for (; steps.steps().canExecute(); calls++) {
      steps.steps().execute();
      steps.steps().answer();
    }
    steps.steps().release();
    return calls;
  }

  /** Each element has a word for each hash function, and filters with other numbers share none. */
  @Test
  void elementsThatNeedMoreMemoryThanThereIsAreRefused() {
    var scheme = HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow();
    var names =
        IntStream.rangeClosed(251, 255)
            .mapToObj(k -> created(FilterParameters.forShape(scheme, 1 << 10, k, WhenFull.ACCEPT)))
            .toList();
    var many = elements("a", ElementService.MAX_ELEMENTS);
    var refusal =
        assertFails(
            ErrorCode.LIMIT_EXCEEDED, one.elements.testAll(names, many, false, Client.SERVICE));
    assertTrue(refusal.getMessage().contains("the limit is 67108864"), refusal.getMessage());
    var fewer = names.subList(0, 2);
    assertEquals(2, await(one.elements.testAll(fewer, many, false, Client.SERVICE)).size());
  }

  private static FilterName created(FilterParameters parameters) {
    var name = name();
    one.create(name, parameters);
    return name;
  }

  /** The thread that hashes an element of this length. */
  private static Thread hashing(FilterName name, int length) {
    var last = new AtomicReference<Thread>();
    var elements =
        new AbstractList<byte[]>() {
          @Override
          public byte[] get(int index) {
            last.set(Thread.currentThread());
            return element(length);
          }

          @Override
          public int size() {
            return 1;
          }
        };
    await(one.elements.test(name, elements, Client.SERVICE));
    return last.get();
  }

  private static byte[] element(int length) {
    return "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void onlyItsSecretFindsTheElementsOfAKeyedFilter() {
    var keyed =
        new Plain(WhenFull.ACCEPT)
            .parameters(HashSchemes.named("bloomgate-1-keyed").orElseThrow(), 100, 0.01);
    var name = name();
    var secret = "c3".repeat(32);
    Generation old;
    try (var instance = TestInstance.withSecrets(redis, secret)) {
      old = instance.create(name, keyed);
      instance.add(name, elements("a", 10));
    }
    assertFails(
        ErrorCode.SECRET_MISSING, one.elements.test(name, elements("a", 10), Client.SERVICE));
    assertFails(ErrorCode.INVALID_REQUEST, () -> one.create(name(), keyed));
    try (var instance = TestInstance.withSecrets(redis, "d4".repeat(32), secret)) {
      assertEquals(secretId(old), secretId(instance.describe(name).live()));
      instance.assertMaybe(name, elements("a", 10));
      assertNotEquals(secretId(old), secretId(instance.create(name(), keyed)));
    }
  }

  private static String secretId(Generation filter) {
    return filter.parameters().hashScheme().keyOrigin().orElseThrow().secretId();
  }

  /** Creates a filter that the other instance uses, and replaces it. */
  private static FilterName replaced(FilterParameters former, FilterParameters now) {
    var name = name();
    one.create(name, former);
    other.live.get(name);
    one.changes.delete(name, false);
    one.create(name, now);
    return name;
  }

  @Test
  void aReplacementWithCountersCountsAndRemoves() {
    var some = elements("a", 3);
    var name = replaced(PLAIN, COUNTING);
    one.add(name, some);
    assertArrayEquals(new byte[] {1, 1, 1}, other.count(name, some));
    name = replaced(PLAIN, COUNTING);
    one.add(name, some);
    assertEquals(
        3,
        await(other.elements.remove(name, some, Durability.PRIMARY, Client.SERVICE)).trueCount(),
        "removed");
  }

  @Test
  void aReplacementWithoutCountersRefusesRemovals() {
    var name = replaced(COUNTING, PLAIN);
    assertFails(
        ErrorCode.INVALID_REQUEST,
        other.elements.remove(name, elements("a", 1), Durability.PRIMARY, Client.SERVICE));
  }

  @Test
  void elementsThatTheOldSchemeRefusedAreAdded() {
    var name = replaced(OF_TEXTS, PLAIN);
    assertTrue(other.add(name, NO_TEXT)[0]);
    var several = List.of(replaced(OF_TEXTS, PLAIN), replaced(OF_TEXTS, PLAIN));
    var added =
        await(
            other.elements.addToAll(
                several, NO_TEXT, Durability.PRIMARY, Optional.empty(), Client.SERVICE));
    added.values().forEach(answers -> assertEquals(1, answers.trueCount()));
    var third = replaced(OF_TEXTS, PLAIN);
    var gone = replaced(OF_TEXTS, PLAIN);
    one.changes.delete(gone, false);
    assertEquals(
        1,
        await(other.elements.testAll(List.of(third, gone), NO_TEXT, true, Client.SERVICE)).size(),
        "present");
    assertFails(
        ErrorCode.INVALID_REQUEST,
        one.elements.test(replaced(PLAIN, OF_TEXTS), NO_TEXT, Client.SERVICE));
  }

  @Test
  void aRebuildThatTheOldFilterRefusedIsOpened() {
    var name = replaced(COUNTING, PLAIN);
    other.rebuilds.open(name, former -> PLAIN, TestInstance.MAX_WAIT).abort();
  }
}
