package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rebuilds of damaged filters, and rebuilds that are damaged themselves. */
@Tag("slow")
class RebuildDamageTest extends RebuiltFilters {

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
}
