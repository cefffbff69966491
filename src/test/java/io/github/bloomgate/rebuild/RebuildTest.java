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
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rebuild from its opening to its end, and what happens to its filter meanwhile. */
@Tag("slow")
class RebuildTest extends RebuiltFilters {

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

  private long bitsOf(Filter filter) {
    first.fold(filter);
    return IntStream.range(0, filter.shape().segments())
        .mapToLong(
            segment -> redis.command("BITCOUNT", TestStores.keys(filter, segment).get(1)).toLong())
        .sum();
  }
}
