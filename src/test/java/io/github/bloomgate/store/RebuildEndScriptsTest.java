package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The scripts that commit or abort a rebuild. */
class RebuildEndScriptsTest extends RebuildScriptCalls {

  private static final List<String> FIELDS_OF_A_REBUILD =
      List.of("received", "patience", "abandonedAt");

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
}
