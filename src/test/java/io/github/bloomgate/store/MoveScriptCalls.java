package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.SOON;
import static io.github.bloomgate.store.ScriptBench.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The scripts by which a filter moves to another slot, on a bench. */
abstract class MoveScriptCalls extends OnScriptBench {

  static final int BYTES = 16;
  static final int AN_HOUR = 3_600_000;

  /** A filter with an open rebuild, a source and a deadline. */
  static Filter rebuilt() {
    var filter = bench.create(1, 0, Optional.of(SOON));
    bench.redis("SETRANGE", bits(filter.name()), 0, "x".repeat(BYTES));
    var fields = new ArrayList<Object>(List.of(filter.generation(), "n.2", "n", 1, 128, AN_HOUR));
    fields.addAll(List.of("generation", "n.2", "segmentBits", 128, "bitsSet", 0, "insertions", 0));
    fields.addAll(List.of("maxInsertions", 0));
    assertEquals("OK", bench.run(Script.OPEN, Keys.ofFilter(filter.name()), fields.toArray()));
    assertEquals("OK", bench.run(Script.ATTACH, Keys.ofSource(filter.name()), "", "kind", "redis"));
    return filter;
  }

  static void open(Move move) {
    assertEquals("OK", bench.run(Script.MOVE_OPEN, moves(move), move.id(), move.from(), AN_HOUR));
  }

  static String fence(Move move) {
    return bench.run(Script.MOVE_FENCE, Keys.ofFilter(move.from()), move);
  }

  static String write(Move move, int hidden, String bytes) {
    var keys = List.of(Keys.moves(move.to()), Keys.ofArrival(move).get(hidden));
    return bench.run(Script.MOVE_WRITE, keys, move.id(), AN_HOUR, 0, bytes);
  }

  static String commit(Move move) {
    return bench.run(
        Script.MOVE_COMMIT,
        Keys.ofCommittedMove(move),
        commit(move, "1", List.of("generation", "a.1")));
  }

  static Object[] commit(Move move, String replace, List<String> state) {
    var arguments =
        new ArrayList<Object>(List.of(move.id(), AN_HOUR, replace, BYTES, 0, 0, state.size()));
    if (bench.exists(Keys.ofArrival(move).get(2))) {
      arguments.set(4, BYTES);
    }
    arguments.addAll(List.of(0, 0, 0));
    arguments.addAll(state);
    return arguments.toArray();
  }

  static List<String> moves(Move move) {
    return List.of(Keys.moves(move.to()));
  }

  static String bits(FilterName name) {
    return Keys.ofFirstSegment(name).get(1);
  }
}
