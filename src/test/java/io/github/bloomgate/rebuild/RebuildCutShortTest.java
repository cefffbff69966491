package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.CutShort;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rebuilds whose client or instance is gone: others end them, and finish what was begun. */
@Tag("slow")
class RebuildCutShortTest extends RebuiltFilters {

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
}
