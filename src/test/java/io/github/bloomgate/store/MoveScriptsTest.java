package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static io.github.bloomgate.store.ScriptBench.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The scripts by which a filter moves to another slot, and what all others do meanwhile. */
class MoveScriptsTest {

  private static final int BYTES = 16;
  private static final int AN_HOUR = 3_600_000;

  /** Those that look at no filter, or at later segments, which do not move. */
  private static final Set<Script> UNCONCERNED =
      EnumSet.of(
          Script.PING,
          Script.CONFIG,
          Script.ADOPT,
          Script.CREATE,
          Script.RECONCILE,
          Script.ACTIVATE,
          Script.FREE,
          Script.INTEND,
          Script.INTENTS,
          Script.RESOLVE,
          Script.SCHEDULE,
          Script.DUE,
          Script.RESCHEDULE,
          Script.RESERVE,
          Script.TOTAL,
          Script.MADE,
          Script.COUNTED,
          Script.RECOUNT,
          Script.TALLY,
          Script.MOVE_OPEN,
          Script.MOVE_READ,
          Script.MOVE_WRITE,
          Script.MOVE_HOLD,
          Script.MOVE_DECIDE,
          Script.MOVE_END,
          Script.MOVE_CLOSE);

  private static ScriptBench bench;

  @BeforeAll
  static void start() {
    bench = new ScriptBench();
  }

  @AfterAll
  static void stop() {
    bench.close();
  }

  private static List<String> twice(List<String> keys) {
    return Stream.of(keys, keys).flatMap(List::stream).toList();
  }

  @TestFactory
  Stream<DynamicTest> everyScriptOnAFencedFilterSaysSoAndChangesNothing() {
    var filter = rebuilt();
    var generation = filter.generation();
    var next = next(filter);
    var move = Move.begin(filter.name(), name());
    var keys = Keys.ofFilter(filter.name());
    var live = keys.subList(0, 2);
    var following = Keys.ofNextFirstSegment(filter.name());
    var source = Keys.ofSource(filter.name());
    var scratch = Keys.withScratch(filter, 0);
    var calls = new LinkedHashMap<Script, List<Supplier<String>>>();
    add(calls, Script.ADD, live, generation, 3, ScriptBench.MARK, "0", 1, 2, 3);
    add(calls, Script.ADD, following, next, 3, ScriptBench.MARK, "0", 1, 2, 3);
    add(calls, Script.TEST, live, generation, 3, 1, 2, 3);
    add(calls, Script.REMOVE, live, generation, 3, ScriptBench.MARK, 1, 2, 3);
    add(calls, Script.MULTIPLICITY, live, generation, 3, 1, 2, 3);
    add(calls, Script.READ, live, generation, 0, 1);
    add(calls, Script.UNION, scratch, generation, 0, "x", 1);
    add(calls, Script.ADVANCE, twice(live), 0, generation, 3, 0, "", "", 100, 0, "");
    add(calls, Script.FOLLOW, live, generation, 3, ScriptBench.MARK);
    add(
        calls,
        Script.FOLD,
        live,
        generation,
        3,
        0,
        "",
        "x".repeat(BYTES),
        0,
        0,
        0,
        "",
        "",
        "",
        "",
        "");
    add(calls, Script.REPLAY, live, generation, 3, 100, "1");
    add(calls, Script.DESCRIBE, live, "");
    add(calls, Script.DESCRIBE, following, "");
    add(calls, Script.FIND, Keys.ofFound(filter.name()));
    add(calls, Script.VERIFY, live, generation);
    add(calls, Script.COUNT, live, generation, 0, 1);
    add(calls, Script.CLEAR, keys, generation, generation.next());
    add(calls, Script.EXPIRE, keys, generation, LATE);
    add(calls, Script.DELETE, keys, "", "0");
    add(calls, Script.DELETE, keys, generation, "0");
    add(calls, Script.RENAME, twice(filter.name(), name()), "0");
    var other = bench.create();
    add(calls, Script.RENAME, twice(other.name(), filter.name()), "1");
    add(calls, Script.OPEN, keys, generation, "n.2", "n", 1, 128, 1);
    var layered = keys.subList(0, 3);
    add(calls, Script.PLAN_LAYER, layered, generation, "n", 1, "1 1 128 3 2 0.1", 2);
    add(calls, Script.OPEN_LAYER, live, generation, 1, 1, "1 1 128 3 2 0.1", "", 2, "0");
    add(calls, Script.LOADED, following, next, 1);
    add(calls, Script.COMMIT, keys, next, "1", "");
    add(calls, Script.ABORT, keys, next, "");
    add(calls, Script.OUTLINE, Keys.ofOutline(filter.name()));
    add(calls, Script.FINISH, keys, generation, filter.revision(), next);
    add(calls, Script.ATTACH, source, "", "kind", "redis");
    add(calls, Script.DETACH, source);
    add(calls, Script.ORIGIN, source);
    add(calls, Script.CLAIM, source, "run", AN_HOUR, "1");
    add(calls, Script.RENEW, source, "run", AN_HOUR, "");
    add(calls, Script.RAN, source, "run", "");
    add(calls, Script.MOVE_FENCE, keys, Move.begin(filter.name(), name()));
    var arrival = Move.begin(other.name(), filter.name());
    open(arrival);
    write(arrival, 1, "x".repeat(BYTES));
    var fields = List.of("generation", "a.1");
    add(calls, Script.MOVE_COMMIT, Keys.ofCommittedMove(arrival), commit(arrival, "1", fields));

    var all = EnumSet.allOf(Script.class);
    all.removeAll(UNCONCERNED);
    assertEquals(all, calls.keySet());
    assertTrue(fence(move).startsWith("OK "));
    return calls.entrySet().stream()
        .flatMap(
            entry ->
                entry.getValue().stream()
                    .map(
                        call ->
                            dynamicTest(
                                entry.getKey().toString(),
                                () ->
                                    assertEquals(
                                        "MOVING " + move, bench.assertWritesNothing(call)))));
  }

  private static void add(
      Map<Script, List<Supplier<String>>> calls,
      Script script,
      List<String> keys,
      Object... arguments) {
    calls
        .computeIfAbsent(script, any -> new ArrayList<>())
        .add(() -> bench.run(script, keys, arguments));
  }

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

  /** A filter with an open rebuild, a source and a deadline. */
  private static Filter rebuilt() {
    var filter = bench.create(1, 0, Optional.of(SOON));
    bench.redis("SETRANGE", bits(filter.name()), 0, "x".repeat(BYTES));
    var fields = new ArrayList<Object>(List.of(filter.generation(), "n.2", "n", 1, 128, AN_HOUR));
    fields.addAll(List.of("generation", "n.2", "segmentBits", 128, "bitsSet", 0, "insertions", 0));
    fields.addAll(List.of("maxInsertions", 0));
    assertEquals("OK", bench.run(Script.OPEN, Keys.ofFilter(filter.name()), fields.toArray()));
    assertEquals("OK", bench.run(Script.ATTACH, Keys.ofSource(filter.name()), "", "kind", "redis"));
    return filter;
  }

  private static String next(Filter filter) {
    return bench.field(filter, "next");
  }

  private static void open(Move move) {
    assertEquals("OK", bench.run(Script.MOVE_OPEN, moves(move), move.id(), move.from(), AN_HOUR));
  }

  private static String fence(Move move) {
    return bench.run(Script.MOVE_FENCE, Keys.ofFilter(move.from()), move);
  }

  private static String read(Move move, int first, int last) {
    return bench.run(Script.MOVE_READ, Keys.ofFirstSegment(move.from()), move, first, last);
  }

  private static String write(Move move, int hidden, String bytes) {
    var keys = List.of(Keys.moves(move.to()), Keys.ofArrival(move).get(hidden));
    return bench.run(Script.MOVE_WRITE, keys, move.id(), AN_HOUR, 0, bytes);
  }

  private static String commit(Move move) {
    return bench.run(
        Script.MOVE_COMMIT,
        Keys.ofCommittedMove(move),
        commit(move, "1", List.of("generation", "a.1")));
  }

  private static Object[] commit(Move move, String replace, List<String> state) {
    var arguments =
        new ArrayList<Object>(List.of(move.id(), AN_HOUR, replace, BYTES, 0, 0, state.size()));
    if (bench.exists(Keys.ofArrival(move).get(2))) {
      arguments.set(4, BYTES);
    }
    arguments.addAll(List.of(0, 0, 0));
    arguments.addAll(state);
    return arguments.toArray();
  }

  private static String decide(Move move, boolean force) {
    return bench.run(Script.MOVE_DECIDE, Keys.ofArrival(move), move.id(), force ? "1" : "0");
  }

  private static String end(Move move, boolean arrived) {
    return bench.run(Script.MOVE_END, Keys.ofFilter(move.from()), move, arrived ? "1" : "0");
  }

  private static List<String> moves(Move move) {
    return List.of(Keys.moves(move.to()));
  }

  private static List<String> twice(FilterName from, FilterName to) {
    var keys = new ArrayList<>(Keys.ofFilter(from));
    keys.addAll(Keys.ofFilter(to));
    return keys;
  }

  private static String state(FilterName name) {
    return Keys.ofFirstSegment(name).get(0);
  }

  private static String bits(FilterName name) {
    return Keys.ofFirstSegment(name).get(1);
  }

  private static String nextState(FilterName name) {
    return Keys.ofNextFirstSegment(name).get(0);
  }
}
