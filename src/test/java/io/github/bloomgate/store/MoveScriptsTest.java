package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What all scripts do while a filter moves to another slot. */
class MoveScriptsTest extends MoveScriptCalls {

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
    add(calls, Script.ADVANCE, twice(live), 0, generation, 3, 0, "", "", 100, 0, "", "", 0, 0);
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
    add(calls, Script.GLANCE, Keys.ofFound(filter.name()));
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

  private static String next(Filter filter) {
    return bench.field(filter, "next");
  }

  private static List<String> twice(FilterName from, FilterName to) {
    var keys = new ArrayList<>(Keys.ofFilter(from));
    keys.addAll(Keys.ofFilter(to));
    return keys;
  }
}
