package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.ClaimReply;
import io.github.bloomgate.store.SlotKeys;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.When;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.TestHttp;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of sources: on which instance, how often, and what happens to interrupted ones. */
class SourceRunsTest extends SourcesOnRedis {

  @Test
  void aForeignRebuildIsNotTouched() {
    var name = ofSet(BY_HAND);
    var next = TestInstance.openNext(other, name);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> run(one, name));
    var rebuild = other.rebuild(name);
    assertEquals(next.content(), rebuild.next().content());
    assertEquals("REBUILD_IN_PROGRESS", lastRun(name).failure().orElseThrow().code());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noAddDuringARunIsLost(boolean several) throws Exception {
    var name = name();
    one.create(name, several ? TestInstance.SEVERAL : SMALL);
    try (var server = new TestHttp();
        var instance = new TestInstance(redis, TestSources.of(folder, server.url("/")))) {
      attach(instance, name, server.url("/held"));
      for (var round = 0; round < 5; round++) {
        // Once the source is requested, the rebuild is open.
        var held = server.hold("/held", element("first\n"), element("last"));
        begin(instance, name);
        held.awaitRequest();
        var added = new AtomicInteger();
        var done = new AtomicBoolean();
        var prefix = "round" + round + "-";
        var adds =
            InParallel.run(
                () -> {
                  while (!done.get()) {
                    other.add(name, List.of(element(prefix + added.get())));
                    added.incrementAndGet();
                  }
                });
        Awaitility.await().until(() -> added.get() > 20);
        held.release();
        Awaitility.await().until(() -> isIdle(name));
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
  void exactlyOneOfTwoInstancesRunsEachTime() {
    var name = ofSet(SMALL, 2000, HOURLY);
    var runsBefore = runs();
    for (var round = 1; round <= 10; round++) {
      makeDue(name);
      InParallel.atOnce(4, i -> (i % 2 == 0 ? one : other).runs.startDue());
      var generation = round + 1L;
      Awaitility.await()
          .until(() -> status(name).run().isEmpty() && generation(name) == generation);
    }
    one.runs.startDue();
    other.runs.startDue();
    assertEquals(Optional.empty(), status(name).run());
    assertEquals(11, generation(name));
    assertEquals(runsBefore + 10, runs());
  }

  /** On a cluster, a node may be down. Here, Redis denies access to the filter's keys. */
  @Test
  void aSourceThatCannotStartDoesNotDelayOthers() {
    var refused = ofSet(HOURLY);
    var next = ofSet(HOURLY);
    makeDue(next);
    makeDue(refused);
    one.get(Agenda.class).enter(refused, Instant.ofEpochSecond(1));
    redis.command("ACL", "SETUSER", "default", "resetkeys", "~bloom:{=names}*", "~*" + next + "*");
    try {
      one.runs.startDue();
      Awaitility.await().until(() -> generation(next) == 2 && isIdle(next));
    } finally {
      redis.command("ACL", "SETUSER", "default", "allkeys");
    }
    assertEquals(1, generation(refused));
    one.runs.startDue();
    Awaitility.await().until(() -> generation(refused) == 2 && isIdle(refused));
  }

  @Test
  void oneRunFollowsAnyNumberOfMissedOnes() {
    // Due each New Year, which the test is unlikely to meet.
    var name = ofSet(new CronSchedule("0 0 1 1 *", "UTC"));
    var before = Instant.now();
    makeDue(name);
    one.runs.startDue();
    Awaitility.await().until(() -> generation(name) == 2 && isIdle(name));
    var next = status(name).nextRunAt().orElseThrow();
    assertTrue(next.isAfter(before), next + " after " + before);
    assertEquals(1, next.atZone(ZoneOffset.UTC).getDayOfYear(), next.toString());
    assertTrue(Duration.between(before, next).toDays() <= 366, next.toString());
    one.runs.startDue();
    assertTrue(isIdle(name));
    assertEquals(2, generation(name));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSlowSourceMakesRoomForAWaitingRun(boolean isDue) throws Exception {
    try (var server = new TestHttp();
        var instance =
            new TestInstance(
                redis,
                new TestSources(
                    Optional.of(List.of(server.url("/"))),
                    Optional.empty(),
                    MAX_WAIT,
                    Duration.ofMillis(1),
                    MAX_WAIT))) {
      var slow = new ArrayList<FilterName>();
      for (var path : List.of("/slow", "/slower")) {
        var name = name();
        one.create(name, SMALL);
        attach(instance, name, server.url(path));
        var held = server.hold(path, element("first\n"), element("last"));
        begin(instance, name);
        held.awaitRequest();
        slow.add(name);
      }
      var waiting = ofSet(HOURLY);
      if (isDue) {
        // The name of a filter that was deleted stays listed until it is due.
        one.get(Agenda.class).enter(name(), Instant.ofEpochSecond(1));
        makeDue(waiting);
      } else {
        begin(instance, waiting);
      }
      Awaitility.await()
          .until(
              () -> {
                instance.runs.startDue();
                return generation(waiting) == 2 && slow.stream().anyMatch(SourcesOnRedis::isIdle);
              });
      var ended = slow.stream().filter(SourcesOnRedis::isIdle).findFirst().orElseThrow();
      var failure = lastRun(ended).failure().orElseThrow();
      assertEquals("SOURCE_UNREADABLE", failure.code());
      assertTrue(failure.detail().contains("other runs were waiting"), failure.detail());
      assertEquals(1, generation(ended));
    }
  }

  @Test
  void aSecondRunIsRefusedWhileOneIsInProgress() {
    var name = ofMissing(BY_HAND);
    claim(name);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> begin(one, name));
    assertTrue(status(name).run().isPresent());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRunOfADeadInstanceIsTakenOver(boolean isRecorded) {
    var name = ofSet(BY_HAND);
    one.add(name, elements("live", 10));
    // The state that a dead instance leaves: source claimed, rebuild open and half loaded.
    var run = claim(name);
    var dead = one.rebuilds.openFor(name, MAX_WAIT, run);
    var incarnation = dead.next().content().incarnation();
    if (isRecorded) {
      assertTrue(one.get(SourceStore.class).renew(name, run, incarnation).isPresent());
    }
    await(dead.load(elements("half", 10)));
    one.add(name, elements("concurrent", 10));

    // Other instances wait while its lease lasts.
    lookNow(name);
    other.runs.startDue();
    assertEquals(1, status(name).run().orElseThrow().attempt());

    takeOver(name);
    assertEquals(Optional.empty(), lastRun(name).failure());
    one.assertMaybe(name, elements("e", 10));
    one.assertMaybe(name, elements("concurrent", 10));
    assertEquals(0, await(one.elements.test(name, elements("live", 10))).trueCount());
    assertEquals(incarnation, one.describe(name).filter().content().incarnation());
    assertNoRebuild(name);

    // If the dead instance came back, its run would have no effect.
    assertTrue(one.get(SourceStore.class).renew(name, run, "").isEmpty());
    assertThrows(BloomException.class, () -> dead.commit(0, NewExpiry.KEEP));
  }

  /** The next run continues the rebuild, because it contains concurrent adds. */
  @Test
  void aRunOfAStoppingInstanceLeavesItsRebuildOpen() {
    var name = ofSet(BY_HAND);
    try (var stopping = new TestInstance(redis, TestSources.of(folder))) {
      var rebuild = stopping.rebuilds.openFor(name, MAX_WAIT, claim(name));
      stopping.runs.close();
      rebuild.close();
      var left = one.rebuild(name);
      assertEquals(rebuild.next().content(), left.next().content());
    }
  }

  @Test
  void aTakenOverRunStartsAgainForCounters() {
    var name = ofSet(TestInstance.counting(1_000), 10, BY_HAND);
    var dead = one.rebuilds.openFor(name, MAX_WAIT, claim(name));
    await(dead.load(elements("e", 10)));
    takeOver(name);
    assertEquals(Optional.empty(), lastRun(name).failure());
    for (var count : one.count(name, elements("e", 10))) {
      assertEquals(1, count);
    }
    assertNoRebuild(name);
  }

  /** The run may have loaded only a part. */
  @Test
  void onlyTheRunCommitsItsRebuild() {
    var name = ofMissing(BY_HAND);
    one.add(name, elements("live", 10));
    var run = one.rebuilds.openFor(name, MAX_WAIT, claim(name));
    await(run.load(elements("part", 1)));
    var open = one.rebuild(name);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> open.commit(0, NewExpiry.KEEP));
    one.assertMaybe(name, elements("live", 10));
    assertTrue(open.abort());
  }

  @Test
  void aRunThatLostItsSourceLeavesTheRebuildOfTheNextOneAlone() {
    var name = ofSet(BY_HAND);
    var lost = one.rebuilds.openFor(name, MAX_WAIT, claim(name));
    redis("HSET", SlotKeys.source(name), List.of("run", "another"));
    lost.close();
    var open = one.rebuild(name);
    assertEquals(lost.next().content(), open.next().content());
  }

  /** The instance stalls between the claim and the rebuild. */
  @Test
  void aRunThatLostItsSourceLeavesNoRebuildOpen() {
    var name = ofMissing(BY_HAND);
    var run = claim(name);
    one.sources.detach(name);
    one.rebuilds.openFor(name, MAX_WAIT, run).close();
    assertFails(ErrorCode.REBUILD_NOT_FOUND, one.rebuilds.find(name, Optional.empty()));
  }

  /** The new source's run begins before its client checks for a rebuild of the old one. */
  @Test
  void aNewSourceLeavesTheRebuildOfItsFirstRunAlone() {
    var name = ofMissing(BY_HAND);
    var open = one.rebuilds.openFor(name, MAX_WAIT, claim(name)).next();
    one.get(SourceRebuild.class).abortLeftOver(name, "none");
    assertEquals(open.content(), one.rebuild(name).next().content());
  }

  @Test
  void removingASourceAbortsTheRebuildOfItsRun() {
    var name = ofMissing(BY_HAND);
    var unused = one.rebuilds.openFor(name, MAX_WAIT, claim(name));
    one.sources.detach(name);
    assertFails(ErrorCode.REBUILD_NOT_FOUND, one.rebuilds.find(name, Optional.empty()));
  }

  /** Another instance takes over the run of a dead one, and ends it. */
  private static void takeOver(FilterName name) {
    redis("HSET", SlotKeys.source(name), List.of("leasedUntil", "1"));
    lookNow(name);
    other.runs.startDue();
    Awaitility.await().until(() -> isIdle(name));
  }

  @Test
  void aRunThatKillsEveryInstanceIsAbandoned() {
    var name = ofSet(HOURLY);
    claim(name);
    redis("HSET", SlotKeys.source(name), List.of("leasedUntil", "1", "attempt", "5"));
    lookNow(name);
    one.runs.startDue();
    Awaitility.await().until(() -> isIdle(name));
    assertEquals("INTERNAL", lastRun(name).failure().orElseThrow().code());
    assertEquals(1, generation(name));
  }

  private static String claim(FilterName name) {
    var run = "run-" + name;
    assertInstanceOf(
        ClaimReply.Claimed.class, one.get(SourceStore.class).claim(name, run, When.NOW));
    return run;
  }
}
