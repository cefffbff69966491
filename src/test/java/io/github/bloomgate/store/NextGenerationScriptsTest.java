package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.redis.Script;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the scripts that are not of rebuilds do with a next generation. */
class NextGenerationScriptsTest extends RebuildScriptCalls {

  @Test
  void addAndVerifyTellTheNext() {
    var live = bench.create(1, 2, NEVER);
    assertEquals("OK 1", runAdd(live));
    assertEquals("OK", verify(live));
    var next = opened(live, 1);
    assertEquals("OK 1 " + next.generation(), runAdd(live, 4, 5, 6));
    assertEquals("FULL  " + next.generation(), runAdd(live, 7, 8, 9));
    assertEquals("OK " + next.generation(), bench.assertWritesNothing(() -> verify(live)));
    assertEquals("OK", abort(next, ""));
    assertEquals("OK", verify(live));
    assertEquals("OK 0", runAdd(live, 4, 5, 6));
  }

  @Test
  void clearIsRefusedWhileARebuildIsOpenAndDropsWhatIsLeftOfOne() {
    for (var segments : List.of(1, 3)) {
      var live = bench.create();
      var next = next(live, segments);
      assertEquals("OK", open(live, next));
      assertEquals("IN_PROGRESS", bench.assertWritesNothing(() -> clear(live)));
      for (var lost : List.of(List.of(0), List.of(1), List.of(0, 1))) {
        var half = bench.create();
        assertEquals("OK", open(half, next(half, segments)));
        lost.forEach(key -> bench.redis("DEL", Keys.ofNextFirstSegment(half.name()).get(key)));
        assertEquals("OK", clear(half));
        assertNoNext(half);
        assertEquals("STALE " + half.generation().next(), runAdd(half));
      }
    }
  }

  @Test
  void finishDropsWhatIsLeftOfARebuildWithoutAState() {
    var live = bench.create();
    var next = opened(live, 1);
    bench.redis("DEL", state(next));
    assertEquals("OK", finish(live, ""));
    assertNoNext(live);
    assertEquals("OK 1", runAdd(live));
  }

  @Test
  void deleteAndCreateDropTheNext() {
    var live = bench.createSeveral(Optional.of(SOON));
    var next = opened(live, 3);
    assertEquals("OK", bench.run(Script.DELETE, Keys.ofFilter(live.name()), ""));
    assertNoNext(live);
    assertEquals(2, bench.hash(list(live)).size());
    bench.assertDeadline(0, List.of(list(live)));
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next, "0", "")));

    var hidden = toCome(3);
    assertEquals("OK", openNew(hidden));
    assertEquals("CREATED", bench.runCreate(named(ScriptBench.filter(1, 0, NEVER), hidden.name())));
    assertNoNext(hidden);
    assertEquals(Map.of(incarnation(hidden), "3"), bench.hash(list(hidden)));
  }

  @Test
  void expireDatesTheNextWithTheLive() {
    for (var segments : List.of(1, 3)) {
      var live = bench.create();
      var next = opened(live, segments);
      for (var deadline : List.of(SOON, LATE, 0L, LATE)) {
        assertEquals("OK", expire(live, deadline));
        bench.assertDeadline(deadline, liveKeys(live));
        bench.assertDeadline(deadline, Keys.ofNextFirstSegment(live.name()));
        assertEquals(
            deadline == 0 ? null : deadline.toString(), bench.hash(state(next)).get("expiresAt"));
      }
      assertEquals("OK", commit(next, "0", ""));
      bench.assertDeadline(LATE, liveKeys(live));
      assertEquals(Long.toString(LATE), bench.field(live, "expiresAt"));
    }
  }

  @Test
  void aLaterDeadlineOfSeveralSegmentsIsAppliedToTheNextAsWellWhenAllHaveIt() {
    var live = bench.createSeveral(Optional.of(SOON));
    var next = opened(live, 1);
    assertEquals("OK", expire(live, LATE));
    bench.assertDeadline(SOON, liveKeys(live));
    bench.assertDeadline(SOON, Keys.ofNextFirstSegment(live.name()));
    var now = FilterState.read(live.name(), liveState(live), HashSecrets.of());
    assertEquals("OK", finish(now, next.generation().toString()));
    bench.assertDeadline(LATE, liveKeys(live));
    bench.assertDeadline(LATE, Keys.ofNextFirstSegment(live.name()));
  }

  @Test
  void expireMakesNoNextWhereThereIsNone() {
    var live = bench.create();
    assertEquals("OK", expire(live, SOON));
    assertNoNext(live);
    var next = opened(live, 1);
    bench.redis("DEL", state(next), bits(next));
    assertEquals("OK", expire(live, LATE));
    assertFalse(bench.exists(state(next)));
  }

  @Test
  void renameMovesTheNextAlongAndDropsThatOfTheReplaced() {
    for (var segments : List.of(1, 3)) {
      var live = bench.create(1, 0, Optional.of(SOON));
      var next = opened(live, segments);
      addNext(next);
      assertEquals("OK 1", loaded(next, 1));
      var target = bench.create();
      var replaced = opened(target, segments);
      assertEquals("OK", rename(live.name(), target.name()));
      assertNoNext(live);
      var moved = named(next, target.name());
      assertEquals(next.generation().toString(), bench.hash(state(moved)).get("generation"));
      bench.assertDeadline(SOON, Keys.ofNextFirstSegment(target.name()));
      assertEquals(segments == 1 ? 0 : 2, bench.hash(list(target)).size());
      assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(replaced, "0", "")));
      assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next, "0", "")));
      assertEquals("OK", commit(moved, "1", ""));
      assertEquals("3", liveState(moved).get("bitsSet"));
    }
  }

  @Test
  void renameDropsAHiddenOneOfTheNewNameAndWhatIsLeftOfItsOwn() {
    var hidden = toCome(1);
    assertEquals("OK", openNew(hidden));
    var live = bench.create();
    var next = opened(live, 1);
    bench.redis("DEL", bits(next));
    assertEquals("OK", rename(live.name(), hidden.name()));
    assertFalse(bench.exists(state(next)));
    assertFalse(bench.exists(state(hidden)));
    assertFalse(bench.exists(bits(hidden)));
  }

  @Test
  void outlineTellsTheNextInWhateverCondition() {
    var live = bench.create();
    var next = opened(live, 1);
    var all = "OK " + liveState(live) + " {} " + bench.hash(state(next)) + " {}";
    assertEquals(all, bench.assertWritesNothing(() -> outline(live)));
    bench.redis("DEL", bits(next));
    assertEquals(all, outline(live));
    bench.redis("DEL", state(next));
    assertEquals("OK " + liveState(live) + " {} {} {}", outline(live));
    bench.redis("SET", state(next), "x");
    assertEquals("WRONG_TYPE nextState", outline(live));
  }

  private static String outline(Filter live) {
    return bench.run(Script.OUTLINE, Keys.ofOutline(live.name()));
  }

  private static String verify(Filter live) {
    return bench.run(Script.VERIFY, liveKeys(live), live.generation());
  }
}
