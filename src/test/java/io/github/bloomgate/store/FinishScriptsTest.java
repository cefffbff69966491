package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Script;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The scripts that end what later segments had to follow: finish, notes, and all of them on a full
 * Redis.
 */
class FinishScriptsTest extends ReconcilingScripts {

  @Test
  void finishStrikesWhatIsPendingAndAppliesTheDeadline() {
    var filter = bench.create(3, 0, Optional.of(SOON));
    assertEquals("OK", bench.finish(filter));
    assertEquals("none", bench.field(filter, "pending"));
    bench.assertDeadline(SOON, TestStores.keys(filter.name()));

    assertEquals(
        "OK", bench.run(Script.EXPIRE, Keys.ofFilter(filter.name()), filter.generation(), LATE));
    assertEquals("CHANGED", bench.assertWritesNothing(() -> bench.finish(filter)));
    assertEquals("expire", bench.field(filter, "pending"));
    assertEquals("OK", bench.finish(next(filter, filter.generation(), Optional.of(LATE))));
    assertEquals("none", bench.field(filter, "pending"));
    bench.assertDeadline(LATE, TestStores.keys(filter.name()));
  }

  @Test
  void finishIsOnlyForTheFilterThatWasReconciled() {
    var filter = bench.create(3, 0, NEVER);
    // The same name and revision, but created again meanwhile.
    bench.redis("HSET", Keys.ofFilter(filter.name()).get(0), "generation", Generation.first());
    assertEquals("CHANGED", bench.assertWritesNothing(() -> bench.finish(filter)));
    assertEquals("create", bench.field(filter, "pending"));
    assertEquals("CHANGED", bench.run(Script.FINISH, Keys.ofFilter(filter.name()), "", "", ""));
    bench.redis("DEL", Keys.ofFilter(filter.name()).get(0));
    assertEquals("CHANGED", bench.finish(filter));
    assertEquals("OK", bench.run(Script.FINISH, Keys.ofFilter(filter.name()), "", "", ""));
  }

  @Test
  void finishTakesFreedSetsOffTheListAndDatesItOnceItNamesNoOther() {
    var filter = bench.create(3, 0, Optional.of(SOON));
    var list = Keys.ofFilter(filter.name()).get(2);
    bench.redis("HSET", list, "0123456789abcdef", 7, "fedcba9876543210", 9);
    assertEquals("OK", bench.finish(filter, "0123456789abcdef"));
    assertEquals(2, bench.hash(list).size());
    bench.assertDeadline(0, List.of(list));
    assertEquals("OK", bench.finish(filter, "fedcba9876543210"));
    assertEquals(Map.of(filter.generation().incarnation(), "3"), bench.hash(list));
    bench.assertDeadline(SOON, List.of(list));
    // What was freed is struck off even where the filter has changed.
    bench.redis("HSET", list, "0123456789abcdef", 7);
    bench.redis("HINCRBY", Keys.ofFilter(filter.name()).get(0), "revision", 1);
    assertEquals("CHANGED", bench.finish(filter, "0123456789abcdef"));
    assertEquals(1, bench.hash(list).size());
  }

  @Test
  void aListThatNamesOneSetOfAnotherFilterDoesNotExpire() {
    var filter = bench.create(1, 0, Optional.of(SOON));
    var list = Keys.ofFilter(filter.name()).get(2);
    bench.redis("HSET", list, "0123456789abcdef", 7);
    assertEquals("OK", bench.finish(filter));
    bench.assertDeadline(0, List.of(list));
  }

  @Test
  void notesKeepTheOldestTimeAndStrikeOffOnlyThemselves() {
    var keys = List.of("notes " + ScriptBench.name());
    assertEquals("OK 1000", bench.run(Script.INTEND, keys, "a", 1000));
    assertEquals("OK 5000", bench.run(Script.INTEND, keys, "b", 5000));
    assertEquals("OK 1001", bench.run(Script.INTEND, keys, "a", 9000));
    assertEquals("OK 1002", bench.run(Script.INTEND, keys, "a", 900));
    assertEquals(
        "OK {a=1002}", bench.assertWritesNothing(() -> bench.run(Script.INTENTS, keys, 5000, 10)));
    assertEquals("OK {a=1002, b=5000}", bench.run(Script.INTENTS, keys, 5001, 10));
    assertEquals("OK {a=1002}", bench.run(Script.INTENTS, keys, 9999, 1));
    assertEquals(
        "OK", bench.assertWritesNothing(() -> bench.run(Script.RESOLVE, keys, "a", 1001, "")));
    assertEquals(
        "OK", bench.assertWritesNothing(() -> bench.run(Script.RESOLVE, keys, "a", 9999, "")));
    assertEquals("OK", bench.run(Script.RESOLVE, keys, "a", 1002, ""));
    assertEquals("OK", bench.run(Script.RESOLVE, keys, "a", 1002, ""));
    assertEquals("OK {b=5000}", bench.run(Script.INTENTS, keys, 9999, 10));
  }

  @Test
  void aFullRedisLetsNothingBeMadeAndEverythingBeDeleted() {
    try (var full = new ScriptBench()) {
      var filter = full.createSeveral(NEVER);
      var unfinished = full.create(3, 0, NEVER);
      assertEquals("MADE one", full.make(unfinished, 2, "one"));
      full.redis("CONFIG", "SET", "maxmemory", 1);
      assertStoreFull(() -> full.runCreate(ScriptBench.filter(1, 0, NEVER)));
      assertStoreFull(() -> full.make(unfinished, 1, "one"));
      assertFalse(full.exists(Keys.ofSegment(unfinished, 1).get(0)));
      assertFalse(full.exists(Keys.ofSegment(unfinished, 1).get(1)));
      // What was made has its room already.
      assertEquals("OK", full.activate(unfinished, 2, "one"));
      assertStoreFull(
          () ->
              full.run(
                  Script.ADD,
                  Keys.ofSegment(filter, 0),
                  filter.generation(),
                  3,
                  ScriptBench.MARK,
                  0,
                  1,
                  2,
                  3));
      assertEquals("OK 1", full.run(Script.INTEND, List.of(Keys.UNSETTLED), "a", 1));
      assertEquals(
          "OK 0 0",
          full.run(Script.TEST, Keys.ofSegment(filter, 0), filter.generation(), 3, 1, 2, 3));
      assertEquals("OK", full.run(Script.DELETE, Keys.ofFilter(filter.name()), ""));
      assertEquals("OK", full.run(Script.FREE, Keys.ofSegment(filter, 1)));
      assertEquals(
          "OK",
          full.run(
              Script.FINISH,
              Keys.ofFilter(filter.name()),
              "",
              "",
              "",
              filter.generation().incarnation()));
      assertEquals("OK", full.run(Script.RESOLVE, List.of(Keys.UNSETTLED), "a", 1, ""));
    }
  }

  private static void assertStoreFull(Executable call) {
    assertEquals(ErrorCode.STORE_FULL, assertThrows(BloomException.class, call).code());
  }
}
