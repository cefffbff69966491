package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rebuilds of filters that are renamed, replaced, deleted, cleared or expire meanwhile. */
@Tag("slow")
class RebuildMeetsChangesTest extends RebuiltFilters {

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
}
