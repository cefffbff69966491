package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.store.SourceStore.Claim;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestHttp;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of sources: who makes them and how often, and what becomes of those that are cut short. */
class SourceRunsTest extends SourcesOnRedis {

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

  /** Nobody may use the filter for long. */
  @Test
  void whatARunHasJournaledIsInTheBitmapAtItsEnd() {
    var name = name();
    var filter = one.create(name, TestInstance.shape(1_000_000, 7));
    redis("SADD", "set-of-" + name, texts("e", 3000));
    attach(name, new Origin.RedisKey("set-of-" + name), BY_HAND);
    run(one, name);
    var state = TestStores.keys(filter, 0).get(0);
    var places = redis("HMGET", state, List.of("base", "folded", "tip"));
    assertTrue(places.get(2).toLong() > 0, "nothing was journaled");
    assertEquals(places.get(2).toLong(), places.get(1).toLong());
    assertEquals(places.get(2).toLong(), places.get(0).toLong());
  }

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

  private static String claim(FilterName name) {
    var run = "run-" + name;
    assertTrue(one.stores.sources().claim(name, run, true) instanceof Claim.Claimed);
    return run;
  }
}
