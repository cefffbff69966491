package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.SOON;
import static io.github.bloomgate.store.ScriptBench.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The scripts by which a filter moves to another slot. */
class MoveStepScriptsTest extends MoveScriptCalls {

  @Test
  void aMoveTakesTheFilterToItsNewNameAndNothingStays() {
    var filter = rebuilt();
    var state = bench.hash(state(filter.name()));
    var move = Move.begin(filter.name(), name());
    open(move);
    assertEquals(
        "OK %s {} %s {kind=redis} %d %d %d"
            .formatted(state, bench.hash(nextState(filter.name())), BYTES, BYTES, SOON),
        fence(move));
    assertEquals("OK xx", read(move, 0, 1));
    write(move, 1, "x".repeat(BYTES));
    write(move, 2, "y".repeat(BYTES));
    assertEquals("OPEN", decide(move, false));
    assertEquals("OK", commit(move));
    assertEquals("OPEN", decide(move, false), "replicas are waited for");
    assertEquals("OK", bench.run(Script.MOVE_HOLD, moves(move), move.id(), 0));
    assertEquals("ARRIVED", decide(move, false));
    assertEquals("ARRIVED", decide(move, true));
    assertEquals("OK", end(move, true));
    assertEquals("OK", bench.run(Script.MOVE_CLOSE, moves(move), move.id()));
    for (var key : Keys.ofFilter(filter.name())) {
      assertFalse(bench.exists(key), key);
    }
    Keys.ofArrival(move).forEach(key -> assertFalse(bench.exists(key), key));
    assertEquals(Map.of("generation", "a.1"), bench.hash(state(move.to())));
    assertEquals("x".repeat(BYTES), bench.redis("GET", bits(move.to())).toString());
    assertEquals("NONE", decide(move, true));
    assertEquals("LOST", commit(move));
  }

  @Test
  void whatIsUndoneCanNeitherBeWrittenNorCommitted() {
    var filter = rebuilt();
    var before = bench.hash(state(filter.name()));
    var next = bench.hash(nextState(filter.name()));
    var move = Move.begin(filter.name(), name());
    open(move);
    fence(move);
    write(move, 1, "x".repeat(BYTES));
    write(move, 2, "y".repeat(BYTES));
    assertEquals("UNDONE", decide(move, true));
    assertEquals("UNDONE", decide(move, false));
    assertEquals("LOST", commit(move));
    assertEquals("LOST", write(move, 1, "x"));
    assertEquals("OK", end(move, false));
    assertEquals("LOST", read(move, 0, 1));
    assertEquals("OTHER", bench.assertWritesNothing(() -> end(move, true)));
    assertEquals(before, bench.hash(state(filter.name())));
    assertEquals(next, bench.hash(nextState(filter.name())));
    assertFalse(bench.exists(Keys.ofArrival(move).get(1)));
    assertFalse(bench.exists(state(move.to())));
  }

  @Test
  void oneThatStandsStillIsUndoneByAnybody() {
    var move = Move.begin(rebuilt().name(), name());
    assertEquals("NONE", decide(move, false));
    bench.run(Script.MOVE_OPEN, moves(move), move.id(), move.from(), 0);
    assertEquals("UNDONE", decide(move, false));
  }

  @Test
  void commitChangesNothingWhereItMayNot() {
    var filter = rebuilt();
    var taken = bench.create();
    var move = Move.begin(filter.name(), taken.name());
    assertEquals("LOST", bench.assertWritesNothing(() -> commit(move)));
    open(move);
    fence(move);
    write(move, 1, "x".repeat(BYTES - 1));
    assertEquals("LOST", bench.assertWritesNothing(() -> commit(move)));
    write(move, 1, "x".repeat(BYTES));
    write(move, 2, "y".repeat(BYTES));
    var fields = List.of("generation", "a.1");
    var keys = Keys.ofCommittedMove(move);
    assertEquals(
        "EXISTS",
        bench.assertWritesNothing(
            () -> bench.run(Script.MOVE_COMMIT, keys, commit(move, "0", fields))));
    for (var index : List.of(1, 2, 3, 4, 5)) {
      var key = keys.get(index);
      bench.redis("RENAME", state(taken.name()), "aside" + move.id());
      bench.redis("SET", key, "x");
      bench.redis("DEL", key);
      if (index == 1 || index == 4) {
        bench.redis("RPUSH", key, "x");
      } else {
        bench.redis("SET", key, "x");
      }
      assertTrue(
          bench.assertWritesNothing(() -> commit(move)).startsWith("TARGET_WRONG_TYPE "), key);
      bench.redis("DEL", key);
      bench.redis("RENAME", "aside" + move.id(), state(taken.name()));
    }
  }

  @Test
  void fenceRefusesWhatCannotMove() {
    var unready = bench.create(3, 0, Optional.empty());
    assertEquals("NOT_READY", refused(unready.name()));
    assertEquals("GONE", refused(name()));
    var damaged = bench.create();
    bench.redis("DEL", bits(damaged.name()));
    assertEquals("DAMAGED bits", refused(damaged.name()));
    var foreign = bench.create();
    bench.redis("SET", Keys.ofFilter(foreign.name()).get(5), "x");
    assertEquals("WRONG_TYPE source", refused(foreign.name()));
  }

  private static String refused(FilterName name) {
    return bench.assertWritesNothing(() -> fence(Move.begin(name, name())));
  }

  private static String read(Move move, int first, int last) {
    return bench.run(Script.MOVE_READ, Keys.ofFirstSegment(move.from()), move, first, last);
  }

  private static String decide(Move move, boolean force) {
    return bench.run(Script.MOVE_DECIDE, Keys.ofArrival(move), move.id(), force ? "1" : "0");
  }

  private static String end(Move move, boolean arrived) {
    return bench.run(Script.MOVE_END, Keys.ofFilter(move.from()), move, arrived ? "1" : "0");
  }

  private static String state(FilterName name) {
    return Keys.ofFirstSegment(name).get(0);
  }

  private static String nextState(FilterName name) {
    return Keys.ofNextFirstSegment(name).get(0);
  }
}
