package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Script;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The scripts of rebuilds, and what the others do with a next generation. */
class RebuildScriptsTest {

  private static final Optional<Long> NEVER = Optional.empty();
  private static final long PATIENCE = 600_000;
  private static final List<String> FIELDS_OF_A_REBUILD =
      List.of("received", "patience", "abandonedAt");

  private static ScriptBench bench;

  @BeforeAll
  static void start() {
    bench = new ScriptBench();
  }

  @AfterAll
  static void stop() {
    bench.close();
  }

  @Test
  void openMakesTheNextFirstSegmentInFullAndNamesIt() {
    for (var deadline : List.of(NEVER, Optional.of(SOON))) {
      var live = bench.create(1, 0, deadline);
      add(live);
      var before = liveState(live);
      var next = next(live, 1);
      assertEquals("OK", open(live, next));
      assertEquals(16, bench.redis("STRLEN", bits(next)).toInteger());
      assertEquals(0, bench.redis("BITCOUNT", bits(next)).toInteger());
      bench.assertDeadline(deadline.orElse(0L), Keys.ofFirstSegment(live.name()));
      bench.assertDeadline(deadline.orElse(0L), Keys.ofNextFirstSegment(live.name()));
      assertFalse(bench.exists(list(live)));

      var expected = new TreeMap<>(before);
      expected.put("next", next.generation().toString());
      assertEquals(expected, liveState(live));
      assertEquals(3, bench.redis("BITCOUNT", liveBits(live)).toInteger());
      var stored = bench.hash(state(next));
      assertEquals(next, FilterState.readNext(live.name(), stored, HashSecrets.of()));
      assertEquals("0", stored.get("received"));
      assertEquals(Long.toString(PATIENCE), stored.get("patience"));
      var left = Long.parseLong(stored.get("abandonedAt")) - System.currentTimeMillis();
      assertTrue(left > 0 && left <= PATIENCE, left + " ms left");
      assertEquals(deadline.map(Object::toString).orElse(null), stored.get("expiresAt"));
    }
  }

  @Test
  void openOfSeveralSegmentsIsNamedOnlyWhenAllAreMade() {
    var live = bench.create(1, 0, Optional.of(SOON));
    var next = next(live, 3);
    assertEquals("OK", open(live, next));
    assertEquals("none", bench.field(live, "next"));
    assertEquals(Map.of(incarnation(next), "3"), bench.hash(list(live)));
    bench.assertDeadline(0, List.of(list(live)));
    assertEquals("create", bench.hash(state(next)).get("pending"));
    assertEquals("OK 1", runAdd(live));
    assertEquals("NOT_READY", bench.assertWritesNothing(() -> commit(next, "0", "")));

    assertEquals("CHANGED", bench.assertWritesNothing(() -> finish(live, "")));
    assertEquals(
        "CHANGED",
        bench.assertWritesNothing(() -> finish(live, next(live, 3).generation().toString())));
    assertEquals("OK", finish(live, next.generation().toString()));
    assertEquals(next.generation().toString(), bench.field(live, "next"));
    assertEquals(null, bench.hash(state(next)).get("pending"));
    assertEquals("OK 0 " + next.generation(), runAdd(live));
    // Its segments have no deadline: the list must outlive the filter.
    bench.assertDeadline(0, List.of(list(live)));
    bench.assertDeadline(SOON, Keys.ofNextFirstSegment(live.name()));
  }

  @Test
  void openIsRefusedWhereOneIsOpen() {
    for (var segments : List.of(1, 3)) {
      var live = bench.create();
      var next = next(live, segments);
      assertEquals("OK", open(live, next));
      for (var more : List.of(1, 3)) {
        assertEquals("IN_PROGRESS", bench.assertWritesNothing(() -> open(live, next(live, more))));
      }
      assertEquals("OK", abort(next, ""));
      assertEquals("OK", open(live, next(live, segments)));
    }
  }

  @Test
  void openIsRefusedForAnyOtherFilterThanTheOneMeant() {
    var live = bench.create();
    var other = next(live, 1);
    assertEquals("STALE " + live.generation(), bench.assertWritesNothing(() -> open(other, other)));
    var gone = ScriptBench.filter(1, 0, NEVER);
    assertEquals("GONE", bench.assertWritesNothing(() -> open(gone, next(gone, 1))));
    var unready = bench.create(3, 0, NEVER);
    assertEquals("NOT_READY", bench.assertWritesNothing(() -> open(unready, next(unready, 1))));
    bench.redis("DEL", liveKeys(live).get(0));
    assertEquals("DAMAGED state", bench.assertWritesNothing(() -> open(live, next(live, 1))));
  }

  @Test
  void openIsTheRemedyOfALostBitmap() {
    var live = bench.create();
    bench.redis("DEL", liveBits(live));
    var next = next(live, 1);
    assertEquals("OK", open(live, next));
    assertEquals("OK 1", loaded(next, 1));
    assertEquals("OK", commit(next, "1", ""));
    assertEquals("OK 1", runAdd(next));
  }

  @Test
  void openTakesThePlaceOfWhatIsLeftOfAnother() {
    for (var key : List.of(0, 1)) {
      var live = bench.create();
      var lost = next(live, 1);
      assertEquals("OK", open(live, lost));
      bench.redis("DEL", Keys.ofNextFirstSegment(live.name()).get(key));
      var next = next(live, 3);
      assertEquals("OK", open(live, next));
      // It is not named before all its segments are made; nor is the one before it any more.
      assertEquals("none", bench.field(live, "next"));
      assertEquals(0, bench.redis("BITCOUNT", bits(next)).toInteger());
    }
  }

  @Test
  void foreignKeysAreLeftAloneByAll() {
    var reasons = List.of("state", "bits", "segments", "nextState", "nextBits");
    for (var i = 0; i < 5; i++) {
      var live = bench.create();
      var next = next(live, 1);
      assertEquals("OK", open(live, next));
      var key = Keys.ofFilter(live.name()).get(i);
      bench.redis("DEL", key);
      bench.redis("RPUSH", key, "theirs");
      var refused = "WRONG_TYPE " + reasons.get(i);
      var calls = new ArrayList<Supplier<String>>();
      calls.add(() -> open(live, next(live, 1)));
      calls.add(() -> commit(next, "0", ""));
      calls.add(() -> abort(next, ""));
      calls.add(() -> bench.run(Script.DELETE, Keys.ofFilter(live.name()), ""));
      calls.add(() -> rename(live.name(), ScriptBench.name()));
      if (i != 2) {
        calls.add(() -> expire(live, SOON));
        calls.add(() -> clear(live));
      }
      if (i > 2) {
        calls.add(() -> loaded(next, 1));
      }
      for (var call : calls) {
        assertEquals(refused, bench.assertWritesNothing(call));
      }
      var from = bench.create();
      assertEquals(
          "TARGET_" + refused, bench.assertWritesNothing(() -> rename(from.name(), live.name())));
      if (i > 1) {
        bench.redis("DEL", liveKeys(live).get(0), liveKeys(live).get(1));
        assertEquals(refused, bench.assertWritesNothing(() -> bench.runCreate(live)));
        assertEquals(refused, bench.assertWritesNothing(() -> openNew(next(live, 1))));
      }
    }
  }

  @Test
  void openNewIsHiddenAndGivesWayToAFilter() {
    var next = toCome(1);
    assertEquals("OK", openNew(next));
    assertFalse(bench.exists(liveKeys(next).get(0)));
    assertEquals("IN_PROGRESS", bench.assertWritesNothing(() -> openNew(toCome(next.name(), 1))));
    bench.assertDeadline(0, Keys.ofNextFirstSegment(next.name()));
    assertEquals(
        "GONE",
        bench.assertWritesNothing(() -> bench.run(Script.DELETE, Keys.ofFilter(next.name()), "")));

    var live = named(ScriptBench.filter(1, 0, NEVER), next.name());
    assertEquals("CREATED", bench.runCreate(live));
    assertNoNext(live);
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> loaded(next, 1)));
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next, "0", "")));
    assertEquals("EXISTS", bench.assertWritesNothing(() -> openNew(toCome(next.name(), 1))));
    bench.redis("DEL", liveBits(live));
    assertEquals("EXISTS", bench.assertWritesNothing(() -> openNew(toCome(next.name(), 1))));
  }

  @Test
  void openNewIsCommittedAsAFilter() {
    for (var segments : List.of(1, 3)) {
      var next = toCome(segments);
      assertEquals("OK", openNew(next));
      if (segments > 1) {
        assertEquals(
            "OK",
            bench.run(
                Script.FINISH, Keys.ofFilter(next.name()), "", "", next.generation().toString()));
      }
      assertFalse(bench.exists(liveKeys(next).get(0)));
      assertEquals("OK 5", loaded(next, 5));
      assertEquals("OK", commit(next, "1", Long.toString(SOON)));
      var filter = FilterState.read(next.name(), liveState(next), HashSecrets.of());
      assertEquals(next.generation(), filter.generation());
      assertEquals(next.createdAt(), filter.createdAt());
      assertEquals(Optional.of(Instant.ofEpochMilli(SOON)), filter.expiresAt());
      assertEquals(segments > 1 ? Filter.Pending.EXPIRE : Filter.Pending.NOTHING, filter.pending());
      bench.assertDeadline(SOON, liveKeys(next));
      assertNoNext(next);
    }
  }

  @Test
  void loadedCountsAndKeepsTheRebuildFromBeingAbandoned() {
    var live = bench.create();
    var next = next(live, 1);
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> loaded(next, 1)));
    assertEquals("OK", open(live, next));
    bench.redis("HSET", state(next), "abandonedAt", 1);
    assertEquals("OK 7", loaded(next, 7));
    assertEquals("OK 10", loaded(next, 3));
    var abandonedAt = Long.parseLong(bench.hash(state(next)).get("abandonedAt"));
    assertTrue(abandonedAt > System.currentTimeMillis(), "abandoned at " + abandonedAt);
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> loaded(next(live, 1), 1)));
    bench.redis("HDEL", state(next), "patience");
    assertEquals("DAMAGED nextState", bench.assertWritesNothing(() -> loaded(next, 1)));
    bench.redis("DEL", bits(next));
    assertEquals("DAMAGED nextBits", bench.assertWritesNothing(() -> loaded(next, 1)));
    bench.redis("SETBIT", bits(next), 127, 0);
    bench.redis("DEL", state(next));
    assertEquals("DAMAGED nextState", bench.assertWritesNothing(() -> loaded(next, 1)));
  }

  @Test
  void commitPutsTheNextInThePlaceOfTheLive() {
    for (var before : List.of(1, 3)) {
      for (var after : List.of(1, 3)) {
        var live = before == 1 ? bench.create() : bench.createSeveral(NEVER);
        var next = opened(live, after);
        addNext(next);
        assertEquals("OK 1", loaded(next, 1));
        var nextBits = bench.redis("GET", bits(next)).toString();
        assertEquals("OK", commit(next, "1", ""));

        var now = FilterState.read(live.name(), liveState(live), HashSecrets.of());
        assertEquals(next.generation(), now.generation());
        assertEquals(live.generation().number() + 1, now.generation().number());
        assertEquals(live.createdAt(), now.createdAt());
        assertEquals(next.parameters(), now.parameters());
        assertEquals(Filter.Pending.NOTHING, now.pending());
        assertEquals(Optional.empty(), now.next());
        assertEquals(nextBits, bench.redis("GET", liveBits(live)).toString());
        assertEquals("3", liveState(live).get("bitsSet"));
        for (var field : FIELDS_OF_A_REBUILD) {
          assertEquals("none", bench.field(live, field));
        }
        assertNoNext(live);
        // Those of both: the ones of the live are still to be freed.
        assertEquals((before == 1 ? 0 : 1) + (after == 1 ? 0 : 1), bench.hash(list(live)).size());
        assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next, "0", "")));
        assertEquals("STALE " + next.generation(), runAdd(live));
      }
    }
  }

  @Test
  void commitKeepsSetsOrRemovesTheDeadline() {
    for (var segments : List.of(1, 3)) {
      for (var before : List.of(NEVER, Optional.of(SOON))) {
        for (var asked : List.of("", "0", Long.toString(LATE))) {
          var live = segments == 1 ? bench.create(1, 0, before) : bench.createSeveral(before);
          var next = opened(live, segments);
          assertEquals("OK", commit(next, "0", asked));
          var deadline = asked.isEmpty() ? before.orElse(0L) : Long.valueOf(asked);
          bench.assertDeadline(deadline, liveKeys(live));
          assertEquals(
              deadline == 0 ? "none" : deadline.toString(), bench.field(live, "expiresAt"));
          // The later segments have none yet: they still have to follow, and the list stays.
          var follows = segments > 1 && deadline != 0;
          assertEquals(follows ? "expire" : "none", bench.field(live, "pending"));
          assertEquals(follows ? "2" : "1", bench.field(live, "revision"));
          if (segments > 1) {
            bench.assertDeadline(0, List.of(list(live)));
          }
        }
      }
    }
  }

  @Test
  void commitRefusesAndChangesNothing() {
    var live = bench.create();
    var next = next(live, 1);
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next, "0", "")));
    assertEquals("OK", open(live, next));
    assertEquals("TOO_FEW 0", bench.assertWritesNothing(() -> commit(next, "1", "")));
    assertEquals("TOO_FEW 0", bench.assertWritesNothing(() -> commit(next, "7", "")));
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next(live, 1), "0", "")));
    // The adds to a filter that names no next, or another, did not go to this one.
    bench.redis("HDEL", liveKeys(live).get(0), "next");
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next, "0", "")));
    bench.redis("HSET", liveKeys(live).get(0), "next", next(live, 1).generation());
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next, "0", "")));
    bench.redis("HSET", liveKeys(live).get(0), "next", next.generation());

    var bitmap = bench.redis("DUMP", bits(next));
    assertTrue(bitmap != null);
    bench.redis("SET", bits(next), "short");
    assertEquals("DAMAGED nextBits", bench.assertWritesNothing(() -> commit(next, "0", "")));
    bench.redis("DEL", bits(next));
    assertEquals("DAMAGED nextBits", bench.assertWritesNothing(() -> commit(next, "0", "")));
    bench.redis("SETBIT", bits(next), 127, 0);
    bench.redis("HDEL", state(next), "bitsSet");
    assertEquals("DAMAGED nextState", bench.assertWritesNothing(() -> commit(next, "0", "")));
    bench.redis("DEL", state(next));
    assertEquals("DAMAGED nextState", bench.assertWritesNothing(() -> commit(next, "0", "")));
    assertEquals("OK", abort(next, ""));
    assertEquals("OK 1", runAdd(live));
  }

  @Test
  void commitReplacesALiveFilterThatIsDamagedOrGone() {
    for (var lost : List.of(List.of(0), List.of(1), List.of(0, 1))) {
      var live = bench.create(1, 0, Optional.of(SOON));
      var next = opened(live, 1);
      addNext(next);
      lost.forEach(key -> bench.redis("DEL", liveKeys(live).get(key)));
      assertEquals("OK", commit(next, "0", ""));
      assertEquals("OK 1", runAdd(next));
      bench.assertDeadline(SOON, liveKeys(live));
      assertNoNext(live);
    }
  }

  @Test
  void abortDropsTheNextAndOnlyThat() {
    for (var segments : List.of(1, 3)) {
      var live = bench.createSeveral(Optional.of(SOON));
      add(live);
      var before = liveState(live);
      var next = opened(live, segments);
      assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> abort(next(live, segments), "")));
      assertEquals("ACTIVE", bench.assertWritesNothing(() -> abort(next, "abandoned")));
      assertEquals("ACTIVE", bench.assertWritesNothing(() -> abort(next, "lost")));
      bench.redis("HSET", state(next), "abandonedAt", System.currentTimeMillis() - 1_000);
      assertEquals("OK", abort(next, segments == 1 ? "abandoned" : ""));
      assertEquals(before, liveState(live));
      assertNoNext(live);
      // Until its segments are freed.
      assertEquals(segments == 1 ? 1 : 2, bench.hash(list(live)).size());
      bench.assertDeadline(0, List.of(list(live)));
      assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> abort(next, "")));
    }
  }

  @Test
  void abortDropsWhatIsLeftOfARebuild() {
    for (var onlyIf : List.of("", "lost")) {
      for (var lost : List.of(List.of(0), List.of(1), List.of(0, 1))) {
        var live = bench.create();
        var next = opened(live, 1);
        lost.forEach(key -> bench.redis("DEL", Keys.ofNextFirstSegment(live.name()).get(key)));
        assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> abort(next(live, 1), onlyIf)));
        assertEquals("OK", abort(next, onlyIf));
        assertNoNext(live);
        assertEquals("OK 1", runAdd(live));
      }
    }
  }

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

  @Test
  void aFullRedisOpensAndLoadsNothingAndEndsWhatIsOpen() {
    try (var full = new ScriptBench()) {
      var shared = bench;
      bench = full;
      try {
        var free = bench.create();
        var aborted = bench.create();
        var toAbort = opened(aborted, 1);
        var committed = bench.create(1, 0, Optional.of(SOON));
        var toCommit = opened(committed, 3);
        addNext(toCommit);
        assertEquals("OK 1", loaded(toCommit, 1));
        bench.redis("CONFIG", "SET", "maxmemory", 1);
        assertStoreFull(() -> open(free, next(free, 1)));
        assertNoNext(free);
        assertStoreFull(() -> openNew(toCome(1)));
        assertStoreFull(() -> loaded(toCommit, 1));
        assertStoreFull(() -> addNext(toAbort));
        assertEquals("OK", abort(toAbort, ""));
        assertNoNext(aborted);
        assertEquals("OK", commit(toCommit, "1", ""));
        assertEquals("3", liveState(committed).get("bitsSet"));
        bench.assertDeadline(SOON, liveKeys(committed));
      } finally {
        bench = shared;
      }
    }
  }

  private static void assertStoreFull(Executable call) {
    assertEquals(ErrorCode.STORE_FULL, assertThrows(BloomException.class, call).code());
  }

  private static Filter next(Filter live, int segments) {
    return live.successor(
        FilterPlan.of(ScriptBench.filter(segments, 0, NEVER).parameters()), moment());
  }

  private static Filter toCome(int segments) {
    return toCome(ScriptBench.name(), segments);
  }

  private static Filter toCome(FilterName name, int segments) {
    return Filter.toCome(
        name, FilterPlan.of(ScriptBench.filter(segments, 0, NEVER).parameters()), moment());
  }

  private static Instant moment() {
    return Instant.ofEpochMilli(1_800_000_000_000L);
  }

  /** Opens a rebuild and makes it ready. */
  private static Filter opened(Filter live, int segments) {
    var next = next(live, segments);
    assertEquals("OK", open(live, next));
    if (segments > 1) {
      assertEquals("OK", finish(live, next.generation().toString()));
    }
    return next;
  }

  private static String open(Filter live, Filter next) {
    return open(live.generation().toString(), next);
  }

  private static String openNew(Filter next) {
    return open("", next);
  }

  private static String open(String live, Filter next) {
    var arguments =
        new ArrayList<Object>(
            List.of(
                live,
                next.generation(),
                incarnation(next),
                next.shape().segments(),
                next.shape().segmentBits(),
                PATIENCE));
    arguments.addAll(FilterState.newFields(next));
    return bench.run(Script.OPEN, Keys.ofFilter(next.name()), arguments.toArray());
  }

  private static String loaded(Filter next, int count) {
    return bench.run(Script.LOADED, Keys.ofNextFirstSegment(next.name()), next.generation(), count);
  }

  private static String commit(Filter next, String minElements, String deadline) {
    return bench.run(
        Script.COMMIT, Keys.ofFilter(next.name()), next.generation(), minElements, deadline);
  }

  private static String abort(Filter next, String onlyIf) {
    return bench.run(Script.ABORT, Keys.ofFilter(next.name()), next.generation(), onlyIf);
  }

  private static String finish(Filter live, String next) {
    return bench.run(
        Script.FINISH, Keys.ofFilter(live.name()), live.generation(), live.revision(), next);
  }

  private static String outline(Filter live) {
    return bench.run(Script.OUTLINE, Keys.ofOutline(live.name()));
  }

  private static String verify(Filter live) {
    return bench.run(Script.VERIFY, liveKeys(live), live.generation());
  }

  private static String clear(Filter live) {
    return bench.run(
        Script.CLEAR, Keys.ofFilter(live.name()), live.generation(), live.generation().next());
  }

  private static String expire(Filter live, long deadline) {
    return bench.run(Script.EXPIRE, Keys.ofFilter(live.name()), live.generation(), deadline);
  }

  private static String rename(FilterName from, FilterName to) {
    var keys = Stream.concat(Keys.ofFilter(from).stream(), Keys.ofFilter(to).stream()).toList();
    return bench.run(Script.RENAME, keys, "1");
  }

  private static void add(Filter live) {
    assertEquals("OK 1", runAdd(live));
  }

  private static String runAdd(Filter live) {
    return runAdd(live, 1, 2, 3);
  }

  private static String runAdd(Filter live, int... offsets) {
    return bench.run(
        Script.ADD,
        liveKeys(live),
        live.generation(),
        3,
        ScriptBench.MARK,
        0,
        offsets[0],
        offsets[1],
        offsets[2]);
  }

  private static void addNext(Filter next) {
    assertEquals(
        "OK 1",
        bench.run(
            Script.ADD,
            Keys.ofNextFirstSegment(next.name()),
            next.generation(),
            3,
            ScriptBench.MARK,
            0,
            100,
            101,
            102));
  }

  private static void assertNoNext(Filter live) {
    for (var key : Keys.ofNextFirstSegment(live.name())) {
      assertFalse(bench.exists(key), key);
    }
    assertEquals("none", bench.field(live, "next"));
  }

  private static Filter named(Filter filter, FilterName name) {
    return new Filter(
        name,
        filter.parameters(),
        filter.generation(),
        filter.revision(),
        filter.pending(),
        filter.createdAt(),
        filter.expiresAt(),
        filter.adoptedKey(),
        filter.isNext(),
        filter.next());
  }

  private static String incarnation(Filter filter) {
    return filter.generation().incarnation();
  }

  private static List<String> liveKeys(Filter filter) {
    return Keys.ofFirstSegment(filter.name());
  }

  private static Map<String, String> liveState(Filter filter) {
    return bench.hash(liveKeys(filter).get(0));
  }

  private static String liveBits(Filter filter) {
    return liveKeys(filter).get(1);
  }

  private static String state(Filter next) {
    return Keys.ofNextFirstSegment(next.name()).get(0);
  }

  private static String bits(Filter next) {
    return Keys.ofNextFirstSegment(next.name()).get(1);
  }

  private static String list(Filter filter) {
    return Keys.segments(filter.name());
  }
}
