package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.SourceStore.Claim;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestHttp;
import io.github.bloomgate.support.TestInstance;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters are rebuilt from their sources by one of two instances at a time. */
class SourceRunsTest {

  private static final Duration PATIENCE = TestInstance.PATIENCE;
  private static final FilterParameters SMALL = TestInstance.sized(20_000, 1e-6, WhenFull.ACCEPT);
  private static final Schedule HOURLY = new Schedule.Every(Duration.ofHours(1));
  private static final Schedule BY_HAND = new Schedule.ByHand();

  @TempDir static Path folder;

  private static TestRedis redis;
  private static TestInstance one;
  private static TestInstance other;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    one = new TestInstance(redis, Clock.systemUTC(), TestSources.of(folder));
    other = new TestInstance(redis, Clock.systemUTC(), TestSources.of(folder));
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
    redis.close();
  }

  // --- kinds of Redis keys

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 999, 1000, 1001, 5000})
  void aSetIsReadWhole(int count) {
    assertReadsWhole(count, key -> redis("SADD", key, texts("e", count)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 999, 1000, 1001, 5000})
  void aSortedSetIsReadWholeWithoutItsScores(int count) {
    var name =
        assertReadsWhole(
            count,
            key -> {
              var arguments = new ArrayList<String>();
              texts("e", count).forEach(text -> arguments.addAll(List.of("7777", text)));
              redis("ZADD", key, arguments);
            });
    assertFalse(one.test(name, List.of(element("7777")))[0]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 999, 1000, 1001, 1999, 2000, 2001, 5000})
  void aListIsReadWhole(int count) {
    assertReadsWhole(count, key -> redis("RPUSH", key, texts("e", count)));
  }

  private static FilterName assertReadsWhole(int count, Fill fill) {
    var name = name();
    one.create(name, SMALL);
    one.add(name, elements("old", 10));
    var key = "source-of-" + name;
    fill.fill(key);
    attach(name, new Origin.RedisKey(key), BY_HAND);

    run(one, name);

    one.assertMaybe(name, elements("e", count));
    var lastRun = lastRun(name);
    assertEquals(Optional.empty(), lastRun.failure());
    assertEquals(count, lastRun.elements());
    assertEquals(2, one.describe(name).filter().generation().number());
    assertEquals(0, await(one.elements.test(name, elements("old", 10))).trueCount());
    one.assertCountsAreExact(name);
    one.assertReconciled(name);
    return name;
  }

  private interface Fill {
    void fill(String key);
  }

  @Test
  void whatStaysInASetIsReadWhileOthersComeAndGo() throws Exception {
    var name = name();
    one.create(name, SMALL);
    var key = "busy-" + name;
    redis("SADD", key, texts("stays", 6000));
    attach(name, new Origin.RedisKey(key), BY_HAND);
    var done = new AtomicBoolean();
    var others =
        Beside.run(
            () -> {
              while (!done.get()) {
                redis("SADD", key, texts("passes", 3000));
                redis("SREM", key, texts("passes", 3000));
              }
            });
    for (var round = 0; round < 5; round++) {
      run(one, name);
      one.assertMaybe(name, elements("stays", 6000));
    }
    done.set(true);
    others.join();
  }

  // --- failures leave the live content

  @Test
  void aMissingKeyIsNoEmptySource() {
    assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("missing-key"), true);
  }

  @Test
  void aKeyOfAnotherTypeFails() {
    redis("SET", "text-key", List.of("x"));
    redis("HSET", "hash-key", List.of("a", "b"));
    assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("text-key"), true);
    assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("hash-key"), true);
  }

  @Test
  void anElementThatIsTooLongFails() {
    redis("SADD", "long-member", List.of("x".repeat(65_537)));
    var detail =
        assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("long-member"), false);
    assertTrue(detail.contains("65537 bytes"), detail);
  }

  @Test
  void aBadLineFailsWithItsNumber() throws IOException {
    var lines = new ArrayList<>(Collections.nCopies(9000, "00"));
    lines.set(8000, "no-hexadecimal");
    Files.write(folder.resolve("bad.txt"), lines);
    var detail =
        assertRunFails(
            ErrorCode.SOURCE_UNREADABLE,
            new Origin.File("bad.txt", LineFormat.TEXT, ElementEncoding.HEX),
            false);
    assertTrue(detail.contains("Line 8001 "), detail);
    assertFalse(detail.contains("no-hex"), detail);
  }

  @Test
  void anEmptySourceFailsUnlessItMayBeEmpty() throws IOException {
    Files.writeString(folder.resolve("empty.txt"), "");
    var empty = new Origin.File("empty.txt", LineFormat.TEXT, ElementEncoding.UTF_8);
    var name = assertRunFailsOn(ErrorCode.REBUILD_EMPTY, empty, false);

    one.sources.attach(name, new Source(empty, BY_HAND, true));
    run(one, name);
    assertEquals(0, one.describe(name).statistics().bitsSet());
  }

  @Test
  void aSourceThatShrinksTooMuchFails() throws IOException {
    var file = folder.resolve("page.txt");
    var origin = new Origin.File("page.txt", LineFormat.TEXT, ElementEncoding.UTF_8);
    var name = name();
    one.create(name, SMALL);
    one.sources.attach(name, new Source(origin, BY_HAND, false, 50, 0.5));

    Files.writeString(file, "a login page\nfor example\n");
    assertFails(ErrorCode.REBUILD_TOO_SMALL, () -> run(one, name));
    Files.write(file, texts("e", 200));
    run(one, name);
    for (var size : List.of(2, 60, 99)) {
      Files.write(file, texts("f", size));
      // One that fails is no measure for the next.
      assertFails(ErrorCode.REBUILD_TOO_SMALL, () -> run(other, name));
      var failure = lastRun(name).failure().orElseThrow();
      assertEquals("REBUILD_TOO_SMALL", failure.code());
      assertTrue(failure.detail().startsWith(size + " elements "), failure.detail());
      assertTrue(failure.detail().contains("at least 100 "), failure.detail());
      one.assertMaybe(name, elements("e", 200));
      assertNoRebuild(name);
    }
    Files.write(file, texts("f", 100));
    run(one, name);
    one.assertMaybe(name, elements("f", 100));
    Files.write(file, texts("g", 50));
    run(one, name);
    Files.write(file, texts("h", 49));
    assertFails(ErrorCode.REBUILD_TOO_SMALL, () -> run(one, name));
  }

  @Test
  void aFilterThatRejectsMoreElementsThanItsOwnFails() {
    var name = name();
    one.create(name, TestInstance.sized(100, 1e-6, WhenFull.REJECT));
    one.add(name, elements("live", 50));
    redis("SADD", "too-many", texts("e", 200));
    attach(name, new Origin.RedisKey("too-many"), BY_HAND);
    assertFails(ErrorCode.FILTER_FULL, () -> run(one, name));
    one.assertMaybe(name, elements("live", 50));
    assertNoRebuild(name);
  }

  private static String assertRunFails(ErrorCode code, Origin origin, boolean allowEmpty) {
    return lastRun(assertRunFailsOn(code, origin, allowEmpty)).failure().orElseThrow().detail();
  }

  private static FilterName assertRunFailsOn(ErrorCode code, Origin origin, boolean allowEmpty) {
    var name = name();
    var before = one.create(name, SMALL);
    one.add(name, elements("live", 100));
    one.sources.attach(name, new Source(origin, HOURLY, allowEmpty));

    assertFails(code, () -> run(one, name));

    one.assertMaybe(name, elements("live", 100));
    assertEquals(before.generation(), one.describe(name).filter().generation());
    assertEquals(code.name(), lastRun(name).failure().orElseThrow().code());
    assertTrue(status(name).nextRunAt().isPresent());
    assertNoRebuild(name);
    one.assertReconciled(name);
    return name;
  }

  private static void run(TestInstance instance, FilterName name) {
    try {
      instance.runs.start(name).join();
    } catch (CompletionException failure) {
      throw (BloomException) failure.getCause();
    }
  }

  private static void begin(TestInstance instance, FilterName name) {
    var unused = instance.runs.start(name);
  }

  private static void assertNoRebuild(FilterName name) {
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> one.rebuilds.find(name));
    assertEquals(Optional.empty(), status(name).run());
  }

  @Test
  void aRebuildOfSomebodyElseIsLeftAlone() {
    var name = name();
    one.create(name, SMALL);
    redis("SADD", "set-of-" + name, texts("e", 10));
    attach(name, new Origin.RedisKey("set-of-" + name), BY_HAND);
    var next = other.openings.open(name, same -> same, PATIENCE);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> run(one, name));
    assertEquals(next.generation(), other.rebuilds.find(name).next().generation());
    assertEquals("REBUILD_IN_PROGRESS", lastRun(name).failure().orElseThrow().code());
  }

  // --- law 1

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noAddIsLostThatBeginsWhileARunReadsItsSource(boolean several) throws Exception {
    var name = name();
    one.create(name, several ? TestInstance.SEVERAL : SMALL);
    try (var server = new TestHttp();
        var instance =
            new TestInstance(redis, Clock.systemUTC(), TestSources.of(folder, server.url("/")))) {
      attach(instance, name, server.url("/held"));
      for (var round = 0; round < 5; round++) {
        // Once the source is asked for, the rebuild is open.
        var held = server.hold("/held", element("first\n"), element("last"));
        begin(instance, name);
        held.awaitRequest();
        var added = new AtomicInteger();
        var done = new AtomicBoolean();
        var prefix = "round" + round + "-";
        var adds =
            Beside.run(
                () -> {
                  while (!done.get()) {
                    other.add(name, List.of(element(prefix + added.get())));
                    added.incrementAndGet();
                  }
                });
        Awaitility.await().atMost(PATIENCE).until(() -> added.get() > 20);
        held.release();
        Awaitility.await().atMost(PATIENCE).until(() -> isIdle(name));
        done.set(true);
        adds.join();
        assertEquals(Optional.empty(), lastRun(name).failure());
        one.assertMaybe(name, elements(prefix, added.get()));
        one.assertMaybe(name, List.of(element("first"), element("last")));
      }
    }
    one.assertCountsAreExact(name);
  }

  // --- one instance at a time

  @Test
  void ofTwoInstancesExactlyOneRunsEachTime() {
    var name = name();
    one.create(name, SMALL);
    redis("SADD", "set-of-" + name, texts("e", 2000));
    attach(name, new Origin.RedisKey("set-of-" + name), HOURLY);
    var runsBefore = runs();
    for (var round = 1; round <= 10; round++) {
      makeDue(name);
      var attempts =
          List.of(one, other, one, other).stream()
              .map(instance -> Beside.run(() -> instance.due.startDue()))
              .toArray(CompletableFuture[]::new);
      CompletableFuture.allOf(attempts).join();
      var generation = round + 1L;
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> status(name).run().isEmpty() && generation(name) == generation);
    }
    one.due.startDue();
    other.due.startDue();
    assertEquals(Optional.empty(), status(name).run());
    assertEquals(11, generation(name));
    assertEquals(runsBefore + 10, runs());
  }

  private static double runs() {
    return runs(one, "ok") + runs(other, "ok");
  }

  private static double runs(TestInstance instance, String result) {
    return instance.metrics.get("bloom.source.run").tag("result", result).timer().count();
  }

  @Test
  void asManyTimesAsWereMissedOneRunFollows() {
    var name = name();
    one.create(name, SMALL);
    redis("SADD", "set-of-" + name, texts("e", 10));
    // Each new year: nearly no test is at work when it is due.
    attach(name, new Origin.RedisKey("set-of-" + name), new CronSchedule("0 0 1 1 *", "UTC"));
    var before = Instant.now();
    makeDue(name);
    one.due.startDue();
    Awaitility.await().atMost(PATIENCE).until(() -> generation(name) == 2 && isIdle(name));
    var next = status(name).nextRunAt().orElseThrow();
    assertTrue(next.isAfter(before), next + " after " + before);
    assertEquals(1, next.atZone(ZoneOffset.UTC).getDayOfYear(), next.toString());
    assertTrue(Duration.between(before, next).toDays() <= 366, next.toString());
    one.due.startDue();
    assertTrue(isIdle(name));
    assertEquals(2, generation(name));
  }

  @Test
  void aSecondRunIsRefusedWhileOneIsOnItsWay() {
    var name = name();
    one.create(name, SMALL);
    attach(name, new Origin.RedisKey("any"), BY_HAND);
    claim(name);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> begin(one, name));
    assertTrue(status(name).run().isPresent());
  }

  @Test
  void aRunWhoseInstanceDiedIsTakenOver() {
    var name = name();
    one.create(name, SMALL);
    one.add(name, elements("live", 10));
    redis("SADD", "set-of-" + name, texts("e", 10));
    attach(name, new Origin.RedisKey("set-of-" + name), BY_HAND);
    // As the dead one left it: claimed, its rebuild open and half loaded.
    var run = claim(name);
    var next = one.openings.open(name, same -> same, PATIENCE);
    one.stores.sources().renew(name, run, Optional.of(next.generation()));
    await(one.loads.load(next, elements("half", 10)));

    // While its lease lasts nobody touches it.
    lookNow(name);
    other.due.startDue();
    assertEquals(1, status(name).run().orElseThrow().attempt());

    redis("HSET", TestStores.sourceKey(name), List.of("leasedUntil", "1"));
    lookNow(name);
    other.due.startDue();
    Awaitility.await().atMost(PATIENCE).until(() -> isIdle(name));
    assertEquals(Optional.empty(), lastRun(name).failure());
    one.assertMaybe(name, elements("e", 10));
    assertEquals(0, await(one.elements.test(name, elements("half", 10))).trueCount());
    assertNoRebuild(name);

    // What the dead one would do if it came back has no effect.
    assertEquals(Optional.empty(), one.stores.sources().renew(name, run, Optional.empty()));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> one.rebuilds.commit(next, 0, NewDeadline.KEEP));
  }

  @Test
  void aRebuildThatADeadRunDidNotRecordIsWaitedFor() {
    var name = name();
    one.create(name, SMALL);
    redis("SADD", "set-of-" + name, texts("e", 10));
    attach(name, new Origin.RedisKey("set-of-" + name), HOURLY);
    claim(name);
    var next = one.openings.open(name, same -> same, PATIENCE);
    redis("HSET", TestStores.sourceKey(name), List.of("leasedUntil", "1"));
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> run(other, name));
    // Not the end of it: the run is still to be done, by whoever asks after its patience.
    assertEquals(2, status(name).run().orElseThrow().attempt());
    assertEquals(Optional.empty(), status(name).lastRun());
    one.rebuilds.abort(next);
    redis("HSET", TestStores.sourceKey(name), List.of("leasedUntil", "1"));
    run(other, name);
    assertEquals(Optional.empty(), lastRun(name).failure());
  }

  @Tag("slow")
  @Test
  void aSourceThatPausesTooLongFails() throws Exception {
    var name = name();
    one.create(name, SMALL);
    one.add(name, elements("live", 10));
    try (var server = new TestHttp()) {
      var impatient =
          // So long that a machine that stalls sends the beginning in time.
          new TestSources(
              Optional.of(List.of(server.url("/"))), Optional.empty(), Duration.ofSeconds(8));
      try (var instance = new TestInstance(redis, Clock.systemUTC(), impatient)) {
        server.hold("/held", element("a\nb\n"), element("c\n"));
        attach(instance, name, server.url("/held"));
        assertFails(ErrorCode.SOURCE_UNREADABLE, () -> run(instance, name));
      }
    }
    var detail = lastRun(name).failure().orElseThrow().detail();
    assertTrue(detail.contains("longer than 8 seconds"), detail);
    assertEquals(1, generation(name));
    assertNoRebuild(name);
    one.assertMaybe(name, elements("live", 10));
  }

  @Test
  void aNameThatIsEnteredWhileItIsLookedAtStaysListed() {
    var name = name();
    lookNow(name);
    var entry =
        one.stores.agenda().due().stream()
            .filter(listed -> listed.name().equals(name))
            .findFirst()
            .orElseThrow();
    other.stores.agenda().enter(name, Instant.ofEpochSecond(2));
    one.stores.agenda().reschedule(entry, Optional.empty());
    assertNotNull(redis("ZSCORE", TestStores.scheduleKey(), List.of(name.value())));
    one.stores.agenda().enter(name, Instant.now().plusSeconds(3600));
    assertTrue(one.stores.agenda().due().stream().anyMatch(due -> due.name().equals(name)));
  }

  @Test
  void aRunThatKillsEveryInstanceIsGivenUp() {
    var name = name();
    one.create(name, SMALL);
    redis("SADD", "set-of-" + name, texts("e", 10));
    attach(name, new Origin.RedisKey("set-of-" + name), HOURLY);
    claim(name);
    redis("HSET", TestStores.sourceKey(name), List.of("leasedUntil", "1", "attempt", "5"));
    lookNow(name);
    one.due.startDue();
    Awaitility.await().atMost(PATIENCE).until(() -> isIdle(name));
    assertEquals("INTERNAL", lastRun(name).failure().orElseThrow().code());
    assertEquals(1, generation(name));
  }

  @Test
  void aRunEndsWithoutEffectWhenItsSourceIsReplaced() throws Exception {
    var name = name();
    one.create(name, SMALL);
    one.add(name, elements("live", 10));
    try (var server = new TestHttp()) {
      var instance =
          new TestInstance(redis, Clock.systemUTC(), TestSources.of(folder, server.url("/")));
      try (instance) {
        var held = server.hold("/held", element("a\n"), element("b\n"));
        attach(instance, name, server.url("/held"));
        begin(instance, name);
        held.awaitRequest();
        redis("SADD", "set-of-" + name, texts("e", 10));
        attach(name, new Origin.RedisKey("set-of-" + name), BY_HAND);
        held.release();
        Awaitility.await().atMost(PATIENCE).until(() -> runs(instance, "failed") == 1);
      }
    }
    assertEquals(1, generation(name));
    assertEquals(Optional.empty(), status(name).lastRun());
    assertNoRebuild(name);
    one.assertMaybe(name, elements("live", 10));
  }

  // --- one filter, one fate

  @Test
  void aSourceVanishesWithItsFilter() {
    var name = name();
    var filter = one.create(name, SMALL);
    attach(name, new Origin.RedisKey("any"), HOURLY);
    one.changes.delete(name, false);
    one.assertNothingLeft(filter);
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> one.sources.find(name));

    lookNow(name);
    one.due.startDue();
    assertNull(redis("ZSCORE", TestStores.scheduleKey(), List.of(name.value())));

    one.create(name, SMALL);
    assertFails(ErrorCode.SOURCE_NOT_FOUND, () -> one.sources.find(name));
  }

  @Test
  void aSourceGoesAlongWhenItsFilterIsRenamed() {
    var name = name();
    one.create(name, SMALL);
    redis("SADD", "set-of-" + name, texts("e", 10));
    attach(name, new Origin.RedisKey("set-of-" + name), HOURLY);
    var due = status(name).nextRunAt();
    var replaced = name();
    one.create(replaced, SMALL);
    attach(replaced, new Origin.RedisKey("another"), BY_HAND);

    one.renames.rename(name, replaced, true);

    assertEquals(due, status(replaced).nextRunAt());
    makeDue(replaced);
    lookNow(name);
    one.due.startDue();
    Awaitility.await().atMost(PATIENCE).until(() -> generation(replaced) == 2 && isIdle(replaced));
    assertNull(redis("ZSCORE", TestStores.scheduleKey(), List.of(name.value())));
    one.assertMaybe(replaced, elements("e", 10));
  }

  @Test
  void aRenamedFilterIsListedUnderItsNewNameWithoutFurtherHelp() {
    var name = name();
    one.create(name, SMALL);
    attach(name, new Origin.RedisKey("missing"), HOURLY);
    var to = name();
    one.renames.rename(name, to, false);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              one.due.startDue();
              var score = redis("ZSCORE", TestStores.scheduleKey(), List.of(to.value()));
              return score != null
                  && (long) Double.parseDouble(score.toString())
                      == status(to).nextRunAt().orElseThrow().toEpochMilli();
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSourceHasTheDeadlineOfItsFilter(boolean several) {
    var name = name();
    var soon = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.MILLIS);
    var parameters = several ? TestInstance.SEVERAL : SMALL;
    one.create(name, parameters, Optional.of(soon));
    attach(name, new Origin.RedisKey("set-of-" + name), BY_HAND);
    redis("SADD", "set-of-" + name, texts("e", 10));
    assertSourceDeadline(name, Optional.of(soon));

    var late = soon.plusSeconds(7200);
    one.changes.expire(name, Optional.of(late));
    assertSourceDeadline(name, Optional.of(late));
    one.changes.expire(name, Optional.of(soon));
    assertSourceDeadline(name, Optional.of(soon));
    run(one, name);
    assertSourceDeadline(name, Optional.of(soon));
    one.changes.expire(name, Optional.empty());
    assertSourceDeadline(name, Optional.empty());

    var next = one.openings.open(name, same -> same, PATIENCE);
    await(one.loads.load(next, elements("e", 1)));
    one.rebuilds.commit(next, 1, NewDeadline.at(late));
    assertSourceDeadline(name, Optional.of(late));
  }

  private static void assertSourceDeadline(FilterName name, Optional<Instant> expected) {
    one.assertDeadline(name, expected);
    var at = redis("PTTL", TestStores.sourceKey(name), List.of()).toLong();
    var ofState = redis("PTTL", TestStores.keys(name).get(0), List.of()).toLong();
    assertEquals(expected.isPresent(), at > 0);
    assertTrue(Math.abs(at - ofState) < 60_000, at + " and " + ofState);
  }

  @Test
  void theSameSourceAgainChangesNothing() {
    var name = name();
    one.create(name, SMALL);
    attach(name, new Origin.RedisKey("missing"), HOURLY);
    assertFails(ErrorCode.SOURCE_UNREADABLE, () -> run(one, name));
    var before = status(name);
    attach(name, new Origin.RedisKey("missing"), HOURLY);
    assertEquals(before, status(name));
    attach(name, new Origin.RedisKey("missing"), BY_HAND);
    assertEquals(Optional.empty(), status(name).lastRun());
    assertEquals(Optional.empty(), status(name).nextRunAt());
  }

  @Test
  void aKeyOfAnotherTypeInPlaceOfASourceIsTold() {
    var name = name();
    one.create(name, SMALL);
    redis("SET", TestStores.sourceKey(name), List.of("x"));
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> one.sources.find(name));
    assertFails(
        ErrorCode.WRONG_KEY_TYPE,
        () -> one.sources.attach(name, new Source(new Origin.RedisKey("any"), BY_HAND, false)));
    // The filter itself is not in doubt.
    one.add(name, elements("e", 1));
    one.changes.delete(name, false);
    assertEquals(List.of(), one.keysWith(name.value()));
  }

  @Test
  void keysOfTheServiceAreNoSources() {
    var name = name();
    one.create(name, SMALL);
    assertFails(
        ErrorCode.INVALID_REQUEST, () -> one.sources.attach(name, source("bloom:catalogue")));
  }

  // --- words of these tests

  private static Source source(String key) {
    return new Source(new Origin.RedisKey(key), BY_HAND, false);
  }

  private static void attach(FilterName name, Origin origin, Schedule schedule) {
    one.sources.attach(name, new Source(origin, schedule, false));
  }

  private static void attach(TestInstance instance, FilterName name, String url) {
    var origin = new Origin.Url(url, LineFormat.TEXT, ElementEncoding.UTF_8);
    instance.sources.attach(name, new Source(origin, BY_HAND, false));
  }

  private static String claim(FilterName name) {
    var run = "run-" + name;
    assertTrue(one.stores.sources().claim(name, run, true) instanceof Claim.Claimed);
    return run;
  }

  /** Makes the source due, as an hour that has passed would. */
  private static void makeDue(FilterName name) {
    redis("HSET", TestStores.sourceKey(name), List.of("nextRunAt", "1000"));
    lookNow(name);
  }

  private static void lookNow(FilterName name) {
    one.stores.agenda().enter(name, Instant.ofEpochSecond(2));
  }

  private static SourceStatus status(FilterName name) {
    return one.sources.find(name);
  }

  private static boolean isIdle(FilterName name) {
    return status(name).run().isEmpty();
  }

  private static LastRun lastRun(FilterName name) {
    return status(name).lastRun().orElseThrow();
  }

  private static long generation(FilterName name) {
    return one.describe(name).filter().generation().number();
  }

  private static List<String> texts(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  private static Response redis(String command, String key, List<String> arguments) {
    var all = new ArrayList<>(List.of(key));
    all.addAll(arguments);
    return redis.command(command, all.toArray(String[]::new));
  }
}
