package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.HashedElements;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.CutShort;
import io.github.bloomgate.support.HastyClock;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rebuild from its opening to its end, and what happens to its filter meanwhile. */
@Tag("slow")
class RebuildTest {

  private static final FilterParameters ONE = TestInstance.shape(50_000, 5);
  private static final FilterParameters ANOTHER = TestInstance.shape(90_000, 3);
  private static final FilterParameters TWO = TestInstance.shape(2 * (1L << 24), 4);

  private static final List<byte[]> OLD = elements("old ", 200);
  private static final List<byte[]> LOADED = elements("loaded ", 300);
  private static final List<byte[]> MEANWHILE = elements("meanwhile ", 250);

  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final Optional<Instant> SOON = inHours(2);
  private static final Optional<Instant> LATE = inHours(9);

  private TestRedis redis;
  private TestInstance first;
  private TestInstance second;

  /** Takes whatever is under way for abandoned. */
  private TestInstance hasty;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    first = new TestInstance(redis);
    second = new TestInstance(redis);
    hasty = new TestInstance(redis, new HastyClock());
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    hasty.close();
    redis.close();
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("the same", ONE, ONE),
        change("another size", ONE, ANOTHER),
        change("1 to 3 segments", ONE, SEVERAL),
        change("3 to 1 segments", SEVERAL, ONE),
        change("3 to 2 segments", SEVERAL, TWO),
        change("3 segments", SEVERAL, SEVERAL));
  }

  private static Arguments change(String what, FilterParameters before, FilterParameters after) {
    return Arguments.of(Named.of(what, before), after);
  }

  static Stream<Named<FilterParameters>> shapes() {
    return Stream.of(Named.of("1 segment", ONE), Named.of("3 segments", SEVERAL));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aCommittedRebuildHoldsWhatWasLoadedAndWhatWasAdded(
      FilterParameters before, FilterParameters after) {
    var live = filled(before, SOON);
    var name = live.name();
    second.assertMaybe(name, OLD);
    var next = open(live, after);
    assertTrue(next.isReady());
    assertLoads(next, LOADED);
    assertEquals(0, await(second.elements.test(name, LOADED)).trueCount(), "only live is tested");
    assertEquals(MEANWHILE.size(), await(second.elements.add(name, MEANWHILE)).trueCount());
    first.assertMaybe(name, MEANWHILE);
    first.assertMaybe(name, OLD);

    var rebuild = first.describe(name).rebuild().orElseThrow();
    assertEquals(next, rebuild.rebuild().next());
    assertEquals(LOADED.size(), rebuild.rebuild().elementsReceived());
    assertEquals(LOADED.size() + MEANWHILE.size(), (double) rebuild.statistics().insertions(), 3);
    assertEquals(bitsOf(next), rebuild.statistics().bitsSet());
    first.assertCountsAreExact(name);

    second.rebuilds.commit(next, 1, NewDeadline.KEEP);
    var committed = second.describe(name);
    assertEquals(next.generation(), committed.filter().generation());
    assertEquals(live.generation().number() + 1, committed.filter().generation().number());
    assertEquals(live.createdAt(), committed.filter().createdAt());
    assertEquals(after, committed.filter().parameters());
    assertEquals(Optional.empty(), committed.rebuild());
    for (var instance : List.of(first, second)) {
      instance.assertMaybe(name, LOADED);
      instance.assertMaybe(name, MEANWHILE);
      assertEquals(0, await(instance.elements.test(name, OLD)).trueCount(), 3);
    }
    first.assertCountsAreExact(name);
    first.assertDeadline(name, SOON);
    assertOver(next);
    assertNoSegments(live);
    assertDeletedWhole(next);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void anAbortedRebuildLeavesWhatIsLiveAndWhatWasAdded(
      FilterParameters before, FilterParameters after) {
    var live = filled(before, SOON);
    var name = live.name();
    var next = open(live, after);
    assertLoads(next, LOADED);
    second.add(name, MEANWHILE);
    assertEquals(true, second.rebuilds.abort(next));
    assertAborted(live, next);
    first.assertMaybe(name, MEANWHILE);
    first.assertDeadline(name, SOON);
    assertEquals(false, first.rebuilds.abort(next));
    // Another can be opened, and what was opened before cannot touch it.
    var another = open(live, after);
    assertNotEquals(next.generation(), another.generation());
    assertFails(ErrorCode.REBUILD_NOT_FOUND, first.loads.load(next, LOADED));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> commit(next));
    assertEquals(false, first.rebuilds.abort(next));
    second.add(name, MEANWHILE);
    assertLoads(another, LOADED);
    commit(another);
    first.assertMaybe(name, MEANWHILE);
    assertDeletedWhole(another);
    assertNoSegments(live);
  }

  /** Later segments do not know that theirs is the next no more: only the confirmation tells. */
  @Test
  void whatFollowsToARebuildThatIsOverIsNotAcknowledged() {
    for (var commits : List.of(true, false)) {
      var live = filled(ONE, Optional.empty());
      var next = open(live, SEVERAL);
      var inLater =
          MEANWHILE.stream()
              .filter(element -> HashedElements.of(SEVERAL, List.of(element)).segments().get(0) > 0)
              .toList();
      await(first.nextGenerations.follow(live, next.generation(), inLater, Durability.PRIMARY));
      if (commits) {
        second.rebuilds.commit(next, 0, NewDeadline.KEEP);
      } else {
        // As far as the script, so that no segment is freed yet.
        second.stores.rebuilds().abort(live.name(), next.generation());
      }
      var late = first.nextGenerations.follow(live, next.generation(), inLater, Durability.PRIMARY);
      assertThrows(StaleFilterException.class, () -> await(late));
    }
  }

  @Test
  void nothingIsCommittedTwice() {
    var live = filled(ONE, Optional.empty());
    var next = open(live, ONE);
    assertFails(ErrorCode.REBUILD_EMPTY, () -> commit(next));
    first.assertMaybe(live.name(), OLD);
    first.rebuilds.commit(next, 0, NewDeadline.KEEP);
    assertEquals(0, first.describe(live.name()).statistics().bitsSet());
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> commit(next));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, first.loads.load(next, LOADED));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> first.descriptions.describeRebuild(live.name()));
    assertFails(
        ErrorCode.FILTER_NOT_FOUND, () -> first.openings.open(name(), RebuildTest::same, AN_HOUR));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void ofTwoThatOpenARebuildAtOnceOneDoes(FilterParameters parameters) {
    for (var round = 0; round < 5; round++) {
      var live = filled(ONE, Optional.empty());
      var name = live.name();
      var opened =
          Stream.of(first, second, first)
              .map(
                  instance ->
                      instance.begin(
                          () -> instance.openings.open(name, before -> parameters, AN_HOUR)))
              .toList()
              .stream()
              .map(begun -> TestInstance.failureOf(begun).map(RebuildTest::codeOf).orElse("opened"))
              .toList();
      var inProgress = ErrorCode.REBUILD_IN_PROGRESS.name();
      assertEquals(List.of(inProgress, inProgress, "opened"), opened.stream().sorted().toList());
      assertNoted(name);
      assertEquals(true, first.rebuilds.abort(second.rebuilds.find(name).next()));
      assertEquals(List.of(), first.keysWith("/"));
      first.assertReconciled(name);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aRebuildThatNobodyLoadsIsAborted(FilterParameters before, FilterParameters after) {
    var live = filled(before, Optional.empty());
    var name = live.name();
    var next = open(live, after, Duration.ofMinutes(10));
    assertNoted(name);
    reconcileAbandoned();
    assertEquals(next, first.rebuilds.find(name).next());
    assertNoted(name);
    second.add(name, MEANWHILE);

    // As if ten minutes had passed on the clock of Redis, and on that of an instance that looks.
    redis.command("HSET", TestStores.nextKeys(name).get(0), "abandonedAt", "1");
    assertLoads(next, LOADED);
    reconcileAbandoned();
    assertEquals(next, first.rebuilds.find(name).next());
    redis.command("HSET", TestStores.nextKeys(name).get(0), "abandonedAt", "1");
    reconcileAbandoned();
    assertAborted(live, next);
    second.assertMaybe(name, MEANWHILE);
  }

  /** The clock of an instance that is wrong by hours aborts nothing. */
  @Test
  void onlyTheClockOfRedisTellsWhatIsAbandoned() {
    var live = filled(SEVERAL, Optional.empty());
    var next = open(live, TWO, Duration.ofMinutes(10));
    try (var wrong = new TestInstance(redis, Clock.offset(Clock.systemUTC(), AN_HOUR))) {
      wrong.reconciler.reconcileAbandoned();
    }
    assertEquals(next, first.rebuilds.find(live.name()).next());
    assertLoads(next, LOADED);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void anOpeningCutShortIsFinished(FilterParameters before, FilterParameters after) {
    for (var steps = 0; steps < 8; steps++) {
      var live = filled(before, SOON);
      var name = live.name();
      var next = live.successor(FilterPlan.of(after), Instant.now().truncatedTo(ChronoUnit.MILLIS));
      cutShort(steps, name, () -> first.stores.rebuilds().open(live, next, AN_HOUR));
      second.add(name, MEANWHILE);
      reconcileAbandoned();
      if (steps < 2) {
        assertAborted(live, next);
        continue;
      }
      assertNoted(name);
      var found = second.rebuilds.find(name).next();
      assertEquals(next.generation(), found.generation());
      assertTrue(found.isReady());
      // What is added from now on is in both.
      first.add(name, OLD);
      assertEquals(OLD.size(), await(second.loads.load(found, OLD)).flags().length);
      second.rebuilds.commit(found, 1, NewDeadline.KEEP);
      first.assertMaybe(name, OLD);
      first.assertDeadline(name, SOON);
      assertNoSegments(live);
      assertOver(found);
      assertDeletedWhole(found);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aCommitCutShortIsFinished(FilterParameters before, FilterParameters after) {
    for (var steps = 0; steps < 7; steps++) {
      var live = filled(before, SOON);
      var name = live.name();
      var next = open(live, after);
      assertLoads(next, LOADED);
      second.add(name, MEANWHILE);
      cutShort(
          steps, name, () -> first.stores.rebuilds().commit(next, 1, NewDeadline.KEEP.inMillis()));
      second.add(name, OLD);
      second.assertMaybe(name, MEANWHILE);
      second.assertMaybe(name, OLD);
      if (steps < 2) {
        reconcileAbandoned();
        commit(next);
      } else {
        second.assertMaybe(name, LOADED);
        reconcileAbandoned();
      }
      for (var all : List.of(LOADED, MEANWHILE, OLD)) {
        first.assertMaybe(name, all);
      }
      second.assertCountsAreExact(name);
      second.assertDeadline(name, SOON);
      assertNoSegments(live);
      assertOver(next);
      assertDeletedWhole(next);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void anAbortCutShortIsFinished(FilterParameters before, FilterParameters after) {
    for (var steps = 0; steps < 7; steps++) {
      var live = filled(before, SOON);
      var name = live.name();
      var next = open(live, after);
      cutShort(steps, name, () -> first.stores.rebuilds().abort(name, next.generation()));
      second.add(name, MEANWHILE);
      reconcileAbandoned();
      if (steps < 2) {
        assertEquals(next, first.rebuilds.find(name).next());
        assertEquals(true, second.rebuilds.abort(next));
      }
      assertAborted(live, next);
      second.assertMaybe(name, MEANWHILE);
      second.assertDeadline(name, SOON);
    }
  }

  /** Another change notes the name and has nothing to do with it before the rebuild is opened. */
  @Test
  void theNoteOfARebuildIsNotStruckOffByAnother() {
    var live = filled(ONE, Optional.empty());
    var name = live.name();
    var next = live.successor(FilterPlan.of(SEVERAL), Instant.now().truncatedTo(ChronoUnit.MILLIS));
    var note = first.reconciler.intend(name);
    second.reconciler.reconcile(second.reconciler.intend(name));
    first.stores.rebuilds().open(live, next, AN_HOUR);
    first.reconciler.reconcile(note);
    assertNoted(name);

    // Nor by one who looked before it was opened and comes back after.
    second.stores.intents().strikeOff(note);
    assertNoted(name);
    var late = second.reconciler.intend(name);
    first.reconciler.reconcile(note);
    second.stores.intents().strikeOff(late);
    assertNoted(name);
  }

  /** A rebuild is the remedy of a filter that has lost its bits. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aDamagedFilterIsRepaired(FilterParameters before, FilterParameters after) {
    for (var segment = 0; segment < before.shape().segments(); segment++) {
      var live = filled(before, SOON);
      var name = live.name();
      redis.command("DEL", TestStores.keys(live, segment).get(1));
      assertFails(ErrorCode.FILTER_DAMAGED, second.elements.test(name, OLD));
      var next = open(live, after);
      assertFails(ErrorCode.FILTER_DAMAGED, second.elements.test(name, OLD));
      assertFails(ErrorCode.FILTER_DAMAGED, second.elements.add(name, OLD));
      assertLoads(next, LOADED);
      commit(next);
      second.assertMaybe(name, LOADED);
      assertEquals(OLD.size(), await(second.elements.add(name, OLD)).trueCount(), 3);
      second.assertDeadline(name, SOON);
      assertNoSegments(live);
      assertDeletedWhole(next);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aRebuildThatLosesAKeyIsAbortedByTheNextAdd(FilterParameters before, FilterParameters after) {
    for (var segment = 0; segment < after.shape().segments(); segment++) {
      for (var key = 0; key < 2; key++) {
        for (var swept : List.of(false, true)) {
          var live = filled(before, SOON);
          var name = live.name();
          var next = open(live, after);
          assertLoads(next, LOADED);
          second.add(name, OLD);
          redis.command("DEL", TestStores.keys(next, segment).get(key));
          if (swept) {
            reconcileAbandoned();
          }
          assertFails(
              segment == 0 ? ErrorCode.REBUILD_NOT_FOUND : ErrorCode.FILTER_DAMAGED,
              () -> commitFound(name, next));
          assertEquals(MEANWHILE.size(), await(second.elements.add(name, MEANWHILE)).trueCount());
          assertAborted(live, next);
          first.assertMaybe(name, MEANWHILE);
          first.assertDeadline(name, SOON);
          assertDeletedWhole(live);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"patience", "createdAt", "segmentBits"})
  void aRebuildThatCannotBeReadIsAbortedByTheNextAdd(String field) {
    for (var after : List.of(ONE, SEVERAL)) {
      var live = filled(ONE, SOON);
      var name = live.name();
      var next = open(live, after);
      redis.command("HDEL", TestStores.nextKeys(name).get(0), field);
      assertEquals(MEANWHILE.size(), await(second.elements.add(name, MEANWHILE)).trueCount());
      assertAborted(live, next);
      first.assertMaybe(name, MEANWHILE);
      assertDeletedWhole(live);
    }
  }

  /** What an add does not find because the filter bears another name for a moment is not lost. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aRebuildOutlivesThatItsFilterIsAwayForAMoment(
      FilterParameters before, FilterParameters after) {
    var name = name();
    first.create(name, before);
    var next = open(first.describe(name).filter(), after);
    var calls = 0;
    try (var slow = TestInstance.stepwise(redis)) {
      slow.add(name, MEANWHILE);
      while (isAwayDuringCall(calls, slow, name)) {
        assertEquals(next, second.rebuilds.find(name).next(), "away in call " + calls);
        calls++;
      }
    }
    assertTrue(calls >= 2, "of an add to two generations");
    second.rebuilds.commit(next, 0, NewDeadline.KEEP);
    second.assertMaybe(name, MEANWHILE);
  }

  /**
   * Adds, and has the filter renamed away and back around one of the calls.
   *
   * @return false if there were not so many calls
   */
  private boolean isAwayDuringCall(int call, TestInstance slow, FilterName name) {
    var away = name();
    var steps = slow.steps();
    steps.hold();
    var adding = slow.elements.add(name, MEANWHILE).subscribeAsCompletionStage();
    for (var i = 0; i < call && !adding.isDone(); i++) {
      steps.execute();
      steps.answer();
    }
    if (adding.isDone()) {
      return false;
    }
    second.renames.rename(name, away, false);
    steps.execute();
    steps.answer();
    second.renames.rename(away, name, false);
    steps.release();
    var failure = adding.handle((answers, thrown) -> Optional.ofNullable(thrown)).join();
    failure.ifPresent(thrown -> assertEquals("FILTER_NOT_FOUND", codeOf(thrown)));
    return true;
  }

  private void commitFound(FilterName name, Filter next) {
    second.rebuilds.find(name);
    commit(next);
  }

  /** Without an add that meets it, it must be in nobody's way either. */
  @Test
  void whatIsLeftOfARebuildIsInNobodysWay() {
    for (var after : List.of(ONE, SEVERAL)) {
      for (var key = 0; key < 2; key++) {
        var live = filled(ONE, Optional.empty());
        var name = live.name();
        var next = open(live, after);
        redis.command("DEL", TestStores.nextKeys(name).get(key));
        second.changes.clear(name);
        second.add(name, MEANWHILE);
        second.assertMaybe(name, MEANWHILE);
        reconcileAbandoned();
        assertAborted(first.describe(name).filter(), next);

        var another = open(first.describe(name).filter(), after);
        redis.command("DEL", TestStores.nextKeys(name).get(key));
        var third = open(first.describe(name).filter(), after);
        assertLoads(third, LOADED);
        commit(third);
        assertNoSegments(another);
        assertDeletedWhole(third);
      }
    }
  }

  /** Nobody adds, nobody rebuilds: what lost its state is found by the sweep. */
  @Test
  void whatIsLeftOfARebuildIsFreed() {
    for (var after : List.of(ONE, SEVERAL)) {
      var live = filled(ONE, Optional.empty());
      var next = open(live, after);
      redis.command("DEL", TestStores.nextKeys(live.name()).get(0));
      reconcileAbandoned();
      assertAborted(live, next);
    }
  }

  @Test
  void anAddThatTheNextGenerationRejectsIsRefusedUntilItIsAborted() {
    var live = filled(ONE, Optional.empty());
    var name = live.name();
    var next = open(live, TestInstance.sized(100, 0.001, WhenFull.REJECT));
    second.add(name, elements("fits ", 50));
    assertFails(ErrorCode.FILTER_FULL, second.elements.add(name, MEANWHILE));
    assertFails(ErrorCode.FILTER_FULL, second.loads.load(next, LOADED));
    // Those it has are no reason to refuse.
    second.add(name, elements("fits ", 50));
    assertEquals(true, first.rebuilds.abort(next));
    second.add(name, MEANWHILE);
    second.assertMaybe(name, MEANWHILE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aRebuildGoesAlongWithARename(FilterParameters before, FilterParameters after) {
    var live = filled(before, SOON);
    var name = live.name();
    var next = open(live, after);
    assertLoads(next, LOADED);
    second.add(name, elements("before ", 20));
    var to = name();
    second.renames.rename(name, to, false);
    assertFails(ErrorCode.REBUILD_NOT_FOUND, first.loads.load(next, LOADED));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> commit(next));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> first.descriptions.describeRebuild(name));
    assertNoted(to);
    second.add(to, MEANWHILE);
    var moved = first.rebuilds.find(to).next();
    assertEquals(next.generation(), moved.generation());
    assertLoads(moved, elements("more ", 20));
    reconcileAbandoned();
    assertNoted(to);
    commit(moved);
    for (var all : List.of(LOADED, MEANWHILE, elements("before ", 20), elements("more ", 20))) {
      first.assertMaybe(to, all);
    }
    first.assertDeadline(to, SOON);
    assertEquals(List.of(), first.keysWith(name.value()));
    assertNoSegments(live);
    assertDeletedWhole(moved);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aRebuildGoesWithAFilterThatIsReplacedOrDeleted(
      FilterParameters before, FilterParameters after) {
    for (var replaced : List.of(true, false)) {
      var live = filled(before, SOON);
      var name = live.name();
      var next = open(live, after);
      assertLoads(next, LOADED);
      var instead = filled(ANOTHER, LATE);
      if (replaced) {
        second.renames.rename(instead.name(), name, true);
        second.assertMaybe(name, OLD);
        first.assertDeadline(name, LATE);
      } else {
        second.changes.delete(name, false);
        first.assertNothingLeft(live);
        second.create(name, ANOTHER);
      }
      assertNoSegments(live);
      assertOver(next);
      assertFails(ErrorCode.REBUILD_NOT_FOUND, first.loads.load(next, LOADED));
      assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> commit(next));
      assertEquals(false, first.rebuilds.abort(next));
      first.add(name, MEANWHILE);
      second.assertMaybe(name, MEANWHILE);
      assertNoSegments(next);
      second.changes.delete(name, false);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aFilterIsNotClearedDuringARebuild(FilterParameters before, FilterParameters after) {
    var live = filled(before, Optional.empty());
    var name = live.name();
    var next = open(live, after);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> second.changes.clear(name));
    assertFails(
        ErrorCode.REBUILD_IN_PROGRESS,
        () -> second.openings.open(name, RebuildTest::same, AN_HOUR));
    second.assertMaybe(name, OLD);
    assertEquals(true, first.rebuilds.abort(next));
    second.changes.clear(name);
    assertEquals(0, await(second.elements.test(name, OLD)).trueCount());
    first.assertReconciled(name);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void theDeadlineIsThatOfTheFilterNowOrTheOneTheCommitSets(
      FilterParameters before, FilterParameters after) {
    var deadlines = List.of(Optional.<Instant>empty(), SOON, LATE);
    for (var old : deadlines) {
      for (var now : deadlines) {
        for (var set : deadlines) {
          var live = filled(before, old);
          var name = live.name();
          var next = open(live, after);
          second.changes.expire(name, now);
          first.assertMaybe(name, OLD);
          assertLoads(next, LOADED);
          for (var key : TestStores.nextKeys(name)) {
            assertEquals(now.isEmpty(), redis.command("PTTL", key).toLong() == -1, key);
          }
          var deadline = set.map(NewDeadline::at).orElse(NewDeadline.KEEP);
          first.rebuilds.commit(next, 1, deadline);
          first.assertDeadline(name, set.isPresent() ? set : now);
          second.assertMaybe(name, LOADED);
          second.changes.delete(name, false);
          first.assertNothingLeft(next);
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aFilterThatExpiresDuringARebuildLeavesNothing(
      FilterParameters before, FilterParameters after) {
    for (var dated : List.of(true, false)) {
      var live = filled(before, dated ? SOON : Optional.empty());
      var name = live.name();
      var next = open(live, after);
      if (!dated) {
        second.changes.expire(name, SOON);
      }
      second.passDeadline(live, next);
      assertEquals(false, await(second.stores.filters().exists(name)));
      assertEquals(List.of(), first.keysWith(name + "}:state"));
      assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> commitFound(name, next));
      assertFails(ErrorCode.FILTER_NOT_FOUND, first.elements.add(name, OLD));
      reconcileAbandoned();
      second.stores.catalogue().remove(name);
      first.assertNothingLeft(live);
      first.assertNothingLeft(next);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void aFilterToComeIsSeenByNobodyUntilItIsCommitted(FilterParameters parameters) {
    var name = name();
    var next = first.openings.openNew(name, FilterPlan.of(parameters), AN_HOUR, Quota.NONE);
    assertLoads(next, LOADED);
    assertNoted(name);
    assertFails(ErrorCode.FILTER_NOT_FOUND, second.elements.test(name, LOADED));
    assertFails(ErrorCode.FILTER_NOT_FOUND, second.elements.add(name, LOADED));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> second.descriptions.describe(name));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> second.changes.delete(name, false));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> second.renames.rename(name, name(), true));
    assertFails(
        ErrorCode.REBUILD_IN_PROGRESS,
        () -> second.openings.openNew(name, FilterPlan.of(parameters), AN_HOUR, Quota.NONE));
    assertEquals(List.of(), listed(name));
    reconcileAbandoned();
    assertEquals(
        LOADED.size(), second.descriptions.describeRebuild(name).rebuild().elementsReceived());

    second.rebuilds.commit(next, 1, NewDeadline.at(SOON.orElseThrow()));
    var committed = second.describe(name);
    assertEquals(1, committed.filter().generation().number());
    first.assertMaybe(name, LOADED);
    first.assertCountsAreExact(name);
    first.assertDeadline(name, SOON);
    assertEquals(List.of(name), listed(name));
    assertFails(
        ErrorCode.FILTER_EXISTS,
        () -> second.openings.openNew(name, FilterPlan.of(parameters), AN_HOUR, Quota.NONE));
    reconcileAbandoned();
    assertOver(next);
    assertDeletedWhole(next);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void aFilterThatIsCreatedMeanwhileWins(FilterParameters parameters) {
    for (var renamed : List.of(true, false)) {
      var name = name();
      var next = first.openings.openNew(name, FilterPlan.of(parameters), AN_HOUR, Quota.NONE);
      assertLoads(next, LOADED);
      if (renamed) {
        second.renames.rename(filled(ANOTHER, Optional.empty()).name(), name, false);
      } else {
        second.create(name, ANOTHER);
      }
      second.add(name, MEANWHILE);
      assertFails(ErrorCode.REBUILD_NOT_FOUND, first.loads.load(next, LOADED));
      assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> commit(next));
      second.assertMaybe(name, MEANWHILE);
      reconcileAbandoned();
      assertOver(next);
      assertNoSegments(next);
    }
    var abandoned = first.openings.openNew(name(), FilterPlan.of(parameters), AN_HOUR, Quota.NONE);
    assertEquals(true, second.rebuilds.abort(abandoned));
    first.assertNothingLeft(abandoned);
  }

  /** Room for about twenty of forty segments. */
  @Test
  void anOpeningThatFillsRedisIsTakenBackWhole() {
    var live = filled(SEVERAL, Optional.empty());
    var name = live.name();
    var used = redis.info("memory", "used_memory");
    redis.command("CONFIG", "SET", "maxmemory", Long.toString(used + 40 * 1024 * 1024));
    assertFails(
        ErrorCode.STORE_FULL,
        () -> first.openings.open(name, before -> TestInstance.shape(40L << 24, 7), AN_HOUR));
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(() -> first.keysWith("bits").size() == 3);
    first.assertReconciled(name);
    second.assertMaybe(name, OLD);
    // Where nothing can be made any more, a rebuild can still end in either way.
    for (var commits : List.of(true, false)) {
      redis.command("CONFIG", "SET", "maxmemory", "0");
      var next = open(first.describe(name).filter(), TWO);
      assertLoads(next, LOADED);
      redis.command("CONFIG", "SET", "maxmemory", "1");
      assertFails(ErrorCode.STORE_FULL, first.loads.load(next, LOADED));
      if (commits) {
        first.stores.rebuilds().commit(next, 1, Optional.empty());
        second.assertMaybe(name, LOADED);
      } else {
        assertEquals(true, second.rebuilds.abort(next));
        second.assertMaybe(name, LOADED);
        assertOver(next);
      }
    }
  }

  private Filter filled(FilterParameters parameters, Optional<Instant> deadline) {
    var filter = first.create(name(), parameters, deadline);
    first.add(filter.name(), OLD);
    return filter;
  }

  private Filter open(Filter live, FilterParameters parameters) {
    return open(live, parameters, AN_HOUR);
  }

  private Filter open(Filter live, FilterParameters parameters, Duration patience) {
    return first.openings.open(
        live.name(),
        before -> {
          assertEquals(live.parameters(), before);
          return parameters;
        },
        patience);
  }

  private static FilterParameters same(FilterParameters live) {
    return live;
  }

  private void assertLoads(Filter next, List<byte[]> elements) {
    assertEquals(elements.size(), await(first.loads.load(next, elements)).flags().length);
  }

  private Description commit(Filter next) {
    first.rebuilds.commit(next, 1, NewDeadline.KEEP);
    return first.descriptions.describeChanged(next.name());
  }

  private static String codeOf(Throwable failure) {
    return ((BloomException) failure).code().name();
  }

  private long bitsOf(Filter filter) {
    first.fold(filter);
    return IntStream.range(0, filter.shape().segments())
        .mapToLong(
            segment -> redis.command("BITCOUNT", TestStores.keys(filter, segment).get(1)).toLong())
        .sum();
  }

  private List<FilterName> listed(FilterName name) {
    return second.descriptions.list(List.of(name.value()), Optional.empty(), 10).entries().stream()
        .map(FilterPage.Entry::name)
        .toList();
  }

  private void assertNoted(FilterName name) {
    assertNotEquals(null, redis.command("ZSCORE", TestStores.unsettledKey(), name.value()));
  }

  private void assertAborted(Filter live, Filter next) {
    var now = second.describe(live.name());
    assertEquals(live.generation(), now.filter().generation());
    assertEquals(Optional.empty(), now.filter().next());
    assertEquals(Optional.empty(), now.rebuild());
    // Unless it was emptied since.
    first.assertMaybe(live.name(), live.revision() == 1 ? OLD : MEANWHILE);
    first.assertCountsAreExact(live.name());
    assertOver(next);
    assertNoSegments(next);
  }

  /** Nothing of a rebuild is left at its name, and nobody looks for it any more. */
  private void assertOver(Filter next) {
    assertEquals(List.of(), first.keysWith("{" + next.name() + "}:*:next"));
    first.assertReconciled(next.name());
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> second.rebuilds.find(next.name()));
    var state = TestStores.keys(next.name()).get(0);
    for (var field : List.of("next", "received", "patience", "abandonedAt", "pending")) {
      assertEquals(null, redis.command("HGET", state, field), field);
    }
  }

  private void assertNoSegments(Filter filter) {
    assertEquals(List.of(), first.keysWith(filter.generation().incarnation()));
    var list = TestStores.keys(filter.name()).get(2);
    assertEquals(
        null, redis.command("HGET", list, filter.generation().incarnation()), "listed segments");
  }

  private void assertDeletedWhole(Filter filter) {
    second.changes.delete(filter.name(), false);
    first.assertNothingLeft(filter);
  }

  private void reconcileAbandoned() {
    hasty.reconciler.reconcileAbandoned();
  }

  /** Carries a change out as far as some number of steps: note, script, each segment, finish. */
  private void cutShort(int steps, FilterName name, Runnable change) {
    var stores = first.stores;
    if (steps > 0) {
      stores.intents().intend(name, Instant.now());
    }
    if (steps < 2) {
      return;
    }
    change.run();
    CutShort.reconcile(stores, name, steps - 2);
  }

  private static Optional<Instant> inHours(int hours) {
    return Optional.of(Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(hours, ChronoUnit.HOURS));
  }
}
