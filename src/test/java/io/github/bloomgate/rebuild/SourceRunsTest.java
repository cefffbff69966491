package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.ClaimReply;
import io.github.bloomgate.store.Keys;
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
import java.util.concurrent.CompletableFuture;
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
        InParallel.resultOf(adds);
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
  void slowSourcesMakeRoomForAWaitingRun(boolean isDue) throws Exception {
    try (var server = new TestHttp();
        var instance = new TestInstance(redis, impatient(server))) {
      var slow = new ArrayList<FilterName>();
      var held = new ArrayList<TestHttp.Held>();
      // As many again as there are places may continue beside the others.
      for (var i = 0; i < 4; i++) {
        held.add(beginHeld(instance, server, "/slow" + i, slow));
        var waiting = ofSet(HOURLY);
        if (isDue) {
          // The name of a filter that was deleted stays listed until it is due.
          one.get(Agenda.class).enter(name(), Instant.ofEpochSecond(1));
          makeDue(waiting);
        } else {
          begin(instance, waiting);
        }
        awaitGeneration(instance, waiting, 2);
        assertTrue(i == 3 || slow.stream().noneMatch(SourcesOnRedis::isIdle));
      }
      held.forEach(TestHttp.Held::release);
      Awaitility.await().until(() -> slow.stream().allMatch(SourcesOnRedis::isIdle));
      // One had to end for the last run that waited.
      var failures = slow.stream().flatMap(name -> lastRun(name).failure().stream()).toList();
      assertEquals(1, failures.size(), failures.toString());
      assertEquals("SOURCE_UNREADABLE", failures.get(0).code());
      assertTrue(failures.get(0).detail().contains("other runs were waiting"));
    }
  }

  private static TestSources impatient(TestHttp server) {
    return new TestSources(
        Optional.of(List.of(server.url("/"))),
        Optional.empty(),
        MAX_WAIT,
        Duration.ofMillis(1),
        MAX_WAIT);
  }

  private static TestHttp.Held beginHeld(
      TestInstance instance, TestHttp server, String path, List<FilterName> names)
      throws InterruptedException {
    var name = name();
    one.create(name, SMALL);
    attach(instance, name, server.url(path));
    var held = server.hold(path, element("first\n"), element("last"));
    begin(instance, name);
    held.awaitRequest();
    names.add(name);
    return held;
  }

  private static void awaitGeneration(TestInstance instance, FilterName name, long generation) {
    Awaitility.await()
        .until(
            () -> {
              instance.runs.startDue();
              return generation(name) == generation;
            });
  }

  /** A client that disconnects, or does not wait to the end, cancels its future. */
  @Test
  void aRunContinuesWhenNobodyWaits() throws Exception {
    try (var server = new TestHttp();
        var instance = new TestInstance(redis, TestSources.of(folder, server.url("/")))) {
      var held = new ArrayList<TestHttp.Held>();
      for (var path : List.of("/one", "/two")) {
        held.add(beginHeld(instance, server, path, new ArrayList<>()));
      }
      var queued = ofSet(BY_HAND);
      assertTrue(instance.runs.start(queued).cancel(true));
      held.forEach(TestHttp.Held::release);
      Awaitility.await().until(() -> isIdle(queued));
      assertEquals(2, generation(queued));
      Awaitility.await().until(instance.get(RunWatch.class)::isFree);
    }
  }

  @Test
  void aSecondRunIsRefusedWhileOneIsInProgress() {
    var name = ofMissing(BY_HAND);
    claim(name);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> begin(one, name));
    assertTrue(status(name).run().isPresent());
  }

  @Test
  void aRunOfADeadInstanceIsTakenOver() {
    var name = ofSet(BY_HAND);
    one.add(name, elements("live", 10));
    // The state that a dead instance leaves: source claimed, rebuild open and half loaded.
    var run = claim(name);
    var dead = one.rebuilds.openFor(name, MAX_WAIT, run);
    var incarnation = dead.next().content().incarnation();
    await(dead.load(elements("half", 10), Client.SERVICE));
    one.add(name, elements("concurrent", 10));

    // Other instances wait while its lease lasts.
    lookNow(name);
    other.runs.startDue();
    assertEquals(1, status(name).run().orElseThrow().attempt());

    takeOver(name);
    assertEquals(Optional.empty(), lastRun(name).failure());
    one.assertMaybe(name, elements("e", 10));
    one.assertMaybe(name, elements("concurrent", 10));
    assertEquals(
        0, await(one.elements.test(name, elements("live", 10), Client.SERVICE)).trueCount());
    assertEquals(incarnation, one.describe(name).live().content().incarnation());
    assertNoRebuild(name);

    // If the dead instance came back, its run would have no effect.
    assertTrue(one.get(SourceStore.class).renew(name, run).isEmpty());
    assertThrows(BloomException.class, () -> dead.commit(0, NewExpiry.KEEP));
  }

  /** Without waiting for the lease to end, and without counting an attempt. */
  @Test
  void theRunOfAStoppingInstanceIsContinuedAtOnce() throws Exception {
    var names = new ArrayList<FilterName>();
    try (var server = new TestHttp();
        var heir = new TestInstance(redis, TestSources.of(folder, server.url("/")))) {
      var held = new ArrayList<TestHttp.Held>();
      try (var stopping = new TestInstance(redis, TestSources.of(folder, server.url("/")))) {
        var runs = new ArrayList<CompletableFuture<Void>>();
        for (var path : List.of("/one", "/two")) {
          var name = name();
          one.create(name, SMALL);
          held.add(server.hold(path, element("first\n"), element("last")));
          attach(stopping, name, server.url(path));
          runs.add(stopping.runs.start(name));
          held.get(held.size() - 1).awaitRequest();
          other.add(name, elements("during", 10));
          names.add(name);
        }
        // There are two places, so this one waits.
        names.add(ofSet(BY_HAND));
        runs.add(stopping.runs.start(names.get(2)));
        stopping.get(RunWatch.class).close();
        for (var run : runs) {
          assertFails(ErrorCode.RUN_INTERRUPTED, () -> join(run));
        }
        assertFails(ErrorCode.RUN_INTERRUPTED, () -> begin(stopping, names.get(0)));
      }
      held.forEach(TestHttp.Held::release);
      Awaitility.await()
          .until(
              () -> {
                heir.runs.startDue();
                return names.stream().allMatch(SourcesOnRedis::isIdle);
              });
    }
    for (var name : names) {
      assertEquals(Optional.empty(), lastRun(name).failure());
      assertEquals(2, generation(name));
      assertNoRebuild(name);
    }
    one.assertMaybe(names.get(0), elements("during", 10));
    one.assertMaybe(names.get(1), elements("during", 10));
  }

  /** A second load would count elements twice, and a new rebuild would lack the adds. */
  @Test
  void theRunOfADeadInstanceFailsForCounters() {
    var name = ofSet(TestInstance.counting(1_000), 10, BY_HAND);
    var dead = one.rebuilds.openFor(name, MAX_WAIT, claim(name));
    await(dead.load(elements("e", 10), Client.SERVICE));
    one.add(name, elements("during", 10));
    takeOver(name);
    assertEquals("RUN_INTERRUPTED", lastRun(name).failure().orElseThrow().code());
    one.assertMaybe(name, elements("during", 10));
    assertNoRebuild(name);
    run(one, name);
    for (var count : one.count(name, elements("e", 10))) {
      assertEquals(1, count);
    }
  }

  @Test
  void theRunOfADeadInstanceFailsIfItsRebuildIsGone() {
    var name = ofSet(BY_HAND);
    var dead = one.rebuilds.openFor(name, MAX_WAIT, claim(name));
    one.add(name, elements("during", 10));
    one.passExpiry(dead.next());
    takeOver(name);
    assertEquals("RUN_INTERRUPTED", lastRun(name).failure().orElseThrow().code());
    one.assertMaybe(name, elements("during", 10));
    assertNoRebuild(name);
  }

  /** Redis refuses the run, which may not even record that. The next run continues its rebuild. */
  @Test
  void noAddIsLostIfRedisFailsDuringARun() throws Exception {
    var name = name();
    one.create(name, SMALL);
    try (var server = new TestHttp();
        var instance = new TestInstance(redis, TestSources.of(folder, server.url("/")))) {
      attach(instance, name, server.url("/held"));
      var held = server.hold("/held", element("first\n"), element("last"));
      var run = instance.runs.start(name);
      held.awaitRequest();
      other.add(name, elements("during", 20));
      redis.command("ACL", "SETUSER", "default", "-evalsha", "-eval");
      held.release();
      try {
        assertFails(ErrorCode.STORE_UNAVAILABLE, () -> join(run));
      } finally {
        redis.command("ACL", "SETUSER", "default", "+evalsha", "+eval");
      }
      redis("HSET", Keys.source(name), List.of("leasedUntil", "1"));
      lookNow(name);
      instance.runs.startDue();
      Awaitility.await().until(() -> isIdle(name));
    }
    assertEquals(Optional.empty(), lastRun(name).failure());
    one.assertMaybe(name, elements("during", 20));
    assertNoRebuild(name);
  }

  /** The run fails for another reason, but Redis is away when that is recorded. */
  @Test
  void noAddIsLostIfAFailureCannotBeRecorded() throws Exception {
    var name = name();
    one.create(name, SMALL);
    try (var server = new TestHttp();
        var instance = new TestInstance(redis, TestSources.of(folder, server.url("/")))) {
      attach(instance, name, server.url("/held"));
      var held = server.hold("/held", element(""), element("x".repeat(70_000)));
      var run = instance.runs.start(name);
      held.awaitRequest();
      other.add(name, elements("during", 20));
      redis.command("ACL", "SETUSER", "default", "-hset");
      held.release();
      try {
        assertFails(ErrorCode.SOURCE_UNREADABLE, () -> join(run));
      } finally {
        redis.command("ACL", "SETUSER", "default", "+hset");
      }
      assertTrue(status(name).run().isPresent());
      server.answer("/held", "200 OK", element("better"));
      redis("HSET", Keys.source(name), List.of("leasedUntil", "1"));
      lookNow(name);
      instance.runs.startDue();
      Awaitility.await().until(() -> isIdle(name));
    }
    assertEquals(Optional.empty(), lastRun(name).failure());
    one.assertMaybe(name, elements("during", 20));
    one.assertMaybe(name, List.of(element("better")));
    assertNoRebuild(name);
  }

  /** The run may have loaded only a part. */
  @Test
  void onlyTheRunCommitsItsRebuild() {
    var name = ofMissing(BY_HAND);
    one.add(name, elements("live", 10));
    var run = one.rebuilds.openFor(name, MAX_WAIT, claim(name));
    await(run.load(elements("part", 1), Client.SERVICE));
    var open = one.rebuild(name);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> open.commit(0, NewExpiry.KEEP));
    one.assertMaybe(name, elements("live", 10));
    assertTrue(open.abort());
  }

  @Test
  void aRunThatLostItsSourceLeavesTheRebuildOfTheNextOneAlone() {
    var name = ofSet(BY_HAND);
    var lost = one.rebuilds.openFor(name, MAX_WAIT, claim(name));
    redis("HSET", Keys.source(name), List.of("run", "another"));
    assertFalse(lost.abort());
    one.get(LeftRebuilds.class).abort(name);
    var open = one.rebuild(name);
    assertEquals(lost.next().content(), open.next().content());
  }

  /** The instance stalls between the claim and the rebuild. */
  @Test
  void aRunThatLostItsSourceOpensNoRebuild() {
    var name = ofMissing(BY_HAND);
    var run = claim(name);
    one.sources.detach(name);
    assertFails(ErrorCode.FILTER_CHANGED, () -> one.rebuilds.openFor(name, MAX_WAIT, run));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, one.rebuilds.find(name, Optional.empty()));
  }

  /** The new source's run begins before its client checks for a rebuild of the old one. */
  @Test
  void aNewSourceLeavesTheRebuildOfItsFirstRunAlone() {
    var name = ofMissing(BY_HAND);
    var open = one.rebuilds.openFor(name, MAX_WAIT, claim(name)).next();
    one.get(LeftRebuilds.class).abort(name);
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
    redis("HSET", Keys.source(name), List.of("leasedUntil", "1"));
    lookNow(name);
    other.runs.startDue();
    Awaitility.await().until(() -> isIdle(name));
  }

  @Test
  void aRunThatKillsEveryInstanceIsAbandoned() {
    var name = ofSet(HOURLY);
    claim(name);
    redis("HSET", Keys.source(name), List.of("leasedUntil", "1", "attempt", "5"));
    lookNow(name);
    one.runs.startDue();
    Awaitility.await().until(() -> isIdle(name));
    assertEquals("RUN_INTERRUPTED", lastRun(name).failure().orElseThrow().code());
    assertEquals(1, generation(name));
  }

  private static String claim(FilterName name) {
    var run = "run-" + name;
    assertInstanceOf(
        ClaimReply.Claimed.class, one.get(SourceStore.class).claim(name, run, When.NOW));
    return run;
  }
}
