package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.redis.Script;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The scripts of rebuilds on a bench, and what they leave of both generations. */
abstract class RebuildScriptCalls extends OnScriptBench {

  static final Optional<Long> NEVER = Optional.empty();
  static final long PATIENCE = 600_000;

  static Filter next(Filter live, int segments) {
    return live.successor(
        FilterPlan.of(ScriptBench.filter(segments, 0, NEVER).parameters()), moment());
  }

  static Filter toCome(int segments) {
    return toCome(ScriptBench.name(), segments);
  }

  static Filter toCome(FilterName name, int segments) {
    return Filter.toCome(
        name, FilterPlan.of(ScriptBench.filter(segments, 0, NEVER).parameters()), moment());
  }

  static Instant moment() {
    return Instant.ofEpochMilli(1_800_000_000_000L);
  }

  /** Opens a rebuild and makes it ready. */
  static Filter opened(Filter live, int segments) {
    var next = next(live, segments);
    assertEquals("OK", open(live, next));
    if (segments > 1) {
      assertEquals("OK", finish(live, next.generation().toString()));
    }
    return next;
  }

  static String open(Filter live, Filter next) {
    return open(live.generation().toString(), next);
  }

  static String openNew(Filter next) {
    return open("", next);
  }

  static String open(String live, Filter next) {
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

  static String loaded(Filter next, int count) {
    return bench.run(Script.LOADED, Keys.ofNextFirstSegment(next.name()), next.generation(), count);
  }

  static String commit(Filter next, String minElements, String deadline) {
    return bench.run(
        Script.COMMIT, Keys.ofFilter(next.name()), next.generation(), minElements, deadline);
  }

  static String abort(Filter next, String onlyIf) {
    return bench.run(Script.ABORT, Keys.ofFilter(next.name()), next.generation(), onlyIf);
  }

  static String finish(Filter live, String next) {
    return bench.run(
        Script.FINISH, Keys.ofFilter(live.name()), live.generation(), live.revision(), next);
  }

  static String clear(Filter live) {
    return bench.run(
        Script.CLEAR, Keys.ofFilter(live.name()), live.generation(), live.generation().next());
  }

  static String expire(Filter live, long deadline) {
    return bench.run(Script.EXPIRE, Keys.ofFilter(live.name()), live.generation(), deadline);
  }

  static String rename(FilterName from, FilterName to) {
    var keys = Stream.concat(Keys.ofFilter(from).stream(), Keys.ofFilter(to).stream()).toList();
    return bench.run(Script.RENAME, keys, "1");
  }

  static void add(Filter live) {
    assertEquals("OK 1", runAdd(live));
  }

  static String runAdd(Filter live) {
    return runAdd(live, 1, 2, 3);
  }

  static String runAdd(Filter live, int... offsets) {
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

  static void addNext(Filter next) {
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

  static void assertNoNext(Filter live) {
    for (var key : Keys.ofNextFirstSegment(live.name())) {
      assertFalse(bench.exists(key), key);
    }
    assertEquals("none", bench.field(live, "next"));
  }

  static Filter named(Filter filter, FilterName name) {
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

  static String incarnation(Filter filter) {
    return filter.generation().incarnation();
  }

  static List<String> liveKeys(Filter filter) {
    return Keys.ofFirstSegment(filter.name());
  }

  static Map<String, String> liveState(Filter filter) {
    return bench.hash(liveKeys(filter).get(0));
  }

  static String liveBits(Filter filter) {
    return liveKeys(filter).get(1);
  }

  static String state(Filter next) {
    return Keys.ofNextFirstSegment(next.name()).get(0);
  }

  static String bits(Filter next) {
    return Keys.ofNextFirstSegment(next.name()).get(1);
  }

  static String list(Filter filter) {
    return Keys.segments(filter.name());
  }
}
