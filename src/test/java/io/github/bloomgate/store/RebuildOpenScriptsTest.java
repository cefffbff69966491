package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.redis.Script;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The scripts that open a rebuild and count what it loaded. */
class RebuildOpenScriptsTest extends RebuildScriptCalls {

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
}
