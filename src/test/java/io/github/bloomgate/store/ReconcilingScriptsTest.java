package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Script;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The scripts that let later segments follow: outline, reconcile, activate, free, finish, notes.
 */
class ReconcilingScriptsTest {

  private static final Optional<Long> NEVER = Optional.empty();

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
  void outlineGivesStateAndSetsAndWritesNothing() {
    var filter = bench.create(3, 0, NEVER);
    var keys = Keys.ofFilter(filter.name());
    bench.redis("HSET", keys.get(2), "0123456789abcdef", 7);
    var state = bench.hash(keys.get(0));
    var sets = bench.hash(keys.get(2));
    assertEquals(
        "OK " + state + " " + sets + " {} {}", bench.assertWritesNothing(() -> outline(filter)));
    bench.redis("DEL", keys.get(1));
    assertEquals("OK " + state + " " + sets + " {} {}", outline(filter));
    bench.redis("DEL", keys.get(0));
    assertEquals("OK {} " + sets + " {} {}", outline(filter));
    bench.redis("DEL", keys.get(2));
    assertEquals("OK {} {} {} {}", outline(filter));
    bench.redis("SET", keys.get(2), "x");
    assertEquals("WRONG_TYPE segments", outline(filter));
    bench.redis("SET", keys.get(0), "x");
    assertEquals("WRONG_TYPE state", outline(filter));
  }

  @Test
  void aSegmentIsMadeInFullOnce() {
    var filter = bench.create(3, 50, Optional.of(SOON));
    assertEquals("MADE one", bench.make(filter, 1, "one"));
    assertEquals(16, bench.redis("STRLEN", bits(filter)).toInteger());
    assertEquals(
        Map.of(
            "generation", "made:one",
            "segmentBits", "128",
            "bitsSet", "0",
            "insertions", "0",
            "mark", "",
            "maxInsertions", Long.toString(filter.parameters().maxInsertionsPerSegment()),
            "revision", "1"),
        bench.hash(state(filter)));
    bench.assertDeadline(SOON, keys(filter));
    // Whoever comes second makes nothing, and learns what there is.
    assertEquals("MADE one", bench.assertWritesNothing(() -> bench.make(filter, 1, "two")));

    assertEquals("OK", bench.activate(filter, 1, "one"));
    add(filter);
    var before = content(filter);
    assertEquals("OK", bench.assertWritesNothing(() -> bench.make(filter, 1, "three")));
    assertEquals("OK", bench.assertWritesNothing(() -> bench.activate(filter, 1, "one")));
    assertEquals("OK", bench.assertWritesNothing(() -> bench.activate(filter, 1, "three")));
    assertEquals("OK", bench.assertWritesNothing(() -> bench.reconcile(filter, 1)));
    assertEquals(before, content(filter));
  }

  @Test
  void aSegmentThatWasMadeIsNotInUse() {
    var filter = bench.create(3, 0, NEVER);
    bench.make(filter, 1, "one");
    var keys = keys(filter);
    var generation = filter.generation();
    var scratch = Keys.withScratch(filter, 1);
    var calls =
        List.<Supplier<String>>of(
            () -> bench.run(Script.ADD, keys, generation, 3, ScriptBench.MARK, 0, 1, 2, 3),
            () -> bench.run(Script.TEST, keys, generation, 3, 1, 2, 3),
            () -> bench.run(Script.READ, keys, generation, 0, 16, 3),
            () -> bench.run(Script.UNION, scratch, generation, 0, "x", 1, ScriptBench.MARK),
            () -> bench.run(Script.DESCRIBE, keys, generation));
    for (var call : calls) {
      assertEquals("STALE made:one", bench.assertWritesNothing(call));
    }
    assertEquals("DAMAGED state", bench.assertWritesNothing(() -> bench.reconcile(filter, 1)));
    var cleared = next(filter, generation.next(), NEVER);
    assertEquals("DAMAGED state", bench.assertWritesNothing(() -> bench.reconcile(cleared, 1)));
  }

  @Test
  void onlyTheSegmentOfThatBirthIsActivated() {
    var filter = bench.create(3, 0, Optional.of(SOON));
    assertEquals("STALE", bench.assertWritesNothing(() -> bench.activate(filter, 1, "one")));
    assertEquals("STALE", bench.assertWritesNothing(() -> bench.activate(filter, 1, "")));
    bench.make(filter, 1, "one");
    assertEquals(
        "STALE made:one", bench.assertWritesNothing(() -> bench.activate(filter, 1, "two")));
    assertEquals("STALE made:one", bench.assertWritesNothing(() -> bench.activate(filter, 1, "")));

    var later = next(filter, filter.generation(), Optional.of(LATE));
    assertEquals("OK", bench.activate(later, 1, "one"));
    assertEquals(filter.generation().toString(), bench.hash(state(filter)).get("generation"));
    assertEquals("2", bench.hash(state(filter)).get("revision"));
    bench.assertDeadline(LATE, keys(filter));
    add(filter);
    assertEquals(3, bench.redis("BITCOUNT", bits(filter)).toInteger());

    var other = next(filter, filter.generation().next(), NEVER);
    assertEquals(
        "STALE " + filter.generation(),
        bench.assertWritesNothing(() -> bench.activate(other, 1, "one")));
    bench.make(filter, 2, "no deadline");
    assertEquals("OK", bench.activate(next(filter, filter.generation(), NEVER), 2, "no deadline"));
    bench.assertDeadline(0, Keys.ofSegment(filter, 2));
  }

  @Test
  void whatLostAKeyIsNotActivated() {
    var filter = bench.create(3, 0, NEVER);
    bench.make(filter, 1, "one");
    bench.redis("DEL", bits(filter));
    assertEquals("STALE", bench.assertWritesNothing(() -> bench.activate(filter, 1, "one")));
    // While the filter is being created it is made again, of another birth.
    assertEquals("MADE two", bench.make(filter, 1, "two"));
    assertEquals(16, bench.redis("STRLEN", bits(filter)).toInteger());
    bench.redis("DEL", state(filter));
    assertEquals("STALE", bench.assertWritesNothing(() -> bench.activate(filter, 1, "two")));
    assertEquals("MADE three", bench.make(filter, 1, "three"));
    bench.redis("HDEL", state(filter), "bitsSet");
    assertEquals("STALE", bench.assertWritesNothing(() -> bench.activate(filter, 1, "three")));
    bench.redis("DEL", bits(filter));
    bench.redis("RPUSH", bits(filter), "x");
    assertEquals(
        "WRONG_TYPE bits", bench.assertWritesNothing(() -> bench.activate(filter, 1, "three")));
    bench.redis("SET", state(filter), "x");
    assertEquals(
        "WRONG_TYPE state", bench.assertWritesNothing(() -> bench.activate(filter, 1, "three")));
  }

  @Test
  void reconcileDoesNotMakeASegmentThatWasLost() {
    var filter = bench.createSeveral(NEVER);
    bench.redis("DEL", bits(filter));
    assertEquals("DAMAGED bits", bench.assertWritesNothing(() -> bench.reconcile(filter, 1)));
    bench.redis("DEL", state(filter));
    assertEquals("DAMAGED state", bench.assertWritesNothing(() -> bench.reconcile(filter, 1)));
    bench.redis("RPUSH", bits(filter), "x");
    assertEquals("WRONG_TYPE bits", bench.assertWritesNothing(() -> bench.make(filter, 1, "one")));
    bench.redis("SET", state(filter), "x");
    assertEquals("WRONG_TYPE state", bench.assertWritesNothing(() -> bench.make(filter, 1, "one")));
  }

  @Test
  void aSegmentIsMadeAnewWhoseMakingWasSpoilt() {
    var filter = bench.create(3, 0, NEVER);
    bench.redis("SET", bits(filter), "x");
    assertEquals("MADE one", bench.make(filter, 1, "one"));
    assertEquals(16, bench.redis("STRLEN", bits(filter)).toInteger());
    assertEquals("OK", bench.activate(filter, 1, "one"));
    bench.redis("HDEL", state(filter), "revision");
    assertEquals("MADE two", bench.make(filter, 1, "two"));
    assertEquals("made:two", bench.hash(state(filter)).get("generation"));
  }

  @Test
  void reconcileEmptiesASegmentOfAnOlderGenerationOnce() {
    var filter = bench.createSeveral(Optional.of(SOON));
    add(filter);
    var cleared = next(filter, filter.generation().next(), Optional.of(SOON));
    assertEquals("OK", bench.reconcile(cleared, 1));
    assertEquals(0, bench.redis("BITCOUNT", bits(filter)).toInteger());
    assertEquals(16, bench.redis("STRLEN", bits(filter)).toInteger());
    bench.assertDeadline(SOON, keys(filter));
    add(cleared);
    var content = content(filter);
    // Somebody who is late with this change, and somebody who is late with the one before.
    assertEquals("OK", bench.assertWritesNothing(() -> bench.reconcile(cleared, 1)));
    assertEquals("OK", bench.assertWritesNothing(() -> bench.make(filter, 1, "late")));
    assertEquals("OK", bench.assertWritesNothing(() -> bench.reconcile(filter, 1)));
    assertEquals(content, content(filter));
  }

  @Test
  void reconcileChangesTheDeadlineAndKeepsTheContent() {
    var filter = bench.createSeveral(Optional.of(SOON));
    add(filter);
    var bits = bench.redis("GET", bits(filter)).toString();
    var later = next(filter, filter.generation(), Optional.of(LATE));
    assertEquals("OK", bench.reconcile(later, 1));
    bench.assertDeadline(LATE, keys(filter));
    assertEquals(bits, bench.redis("GET", bits(filter)).toString());
    var never = next(later, filter.generation(), NEVER);
    assertEquals("OK", bench.reconcile(never, 1));
    bench.assertDeadline(0, keys(filter));
    assertEquals("OK", bench.reconcile(later, 1));
    bench.assertDeadline(0, keys(filter));
    assertEquals(bits, bench.redis("GET", bits(filter)).toString());
  }

  @Test
  void aSegmentThatWasFreedIsNotMadeAgain() {
    var filter = bench.create(3, 0, NEVER);
    assertEquals("MADE one", bench.make(filter, 1, "one"));
    for (var segment = 1; segment < 3; segment++) {
      var keys = Keys.ofSegment(filter, segment);
      assertEquals("OK", bench.run(Script.FREE, keys));
      assertFalse(bench.exists(keys.get(1)));
      var number = segment;
      assertEquals("GONE", bench.assertWritesNothing(() -> bench.make(filter, number, "two")));
      assertEquals("GONE", bench.assertWritesNothing(() -> bench.reconcile(filter, number)));
      assertEquals("GONE", bench.assertWritesNothing(() -> bench.activate(filter, number, "one")));
      // The mark goes by itself.
      assertEquals(Map.of("generation", "freed"), bench.hash(keys.get(0)));
      var left = bench.redis("PTTL", keys.get(0)).toLong();
      assertTrue(left > 0 && left <= 60_000, left + " ms left");
      assertEquals("OK", bench.run(Script.FREE, keys));
    }
    assertEquals(
        "STALE freed",
        bench.run(Script.TEST, Keys.ofSegment(filter, 1), filter.generation(), 1, 1));
  }

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

  private static Filter next(Filter filter, Generation generation, Optional<Long> deadline) {
    return new Filter(
        filter.name(),
        filter.parameters(),
        generation,
        filter.revision() + 1,
        Filter.Pending.NOTHING,
        filter.createdAt(),
        deadline.map(Instant::ofEpochMilli),
        Optional.empty(),
        false,
        Optional.empty());
  }

  private static String outline(Filter filter) {
    return bench.run(Script.OUTLINE, Keys.ofOutline(filter.name()));
  }

  private static void add(Filter filter) {
    assertEquals(
        "OK 1",
        bench.run(Script.ADD, keys(filter), filter.generation(), 3, ScriptBench.MARK, 0, 1, 2, 3));
  }

  private static String content(Filter filter) {
    return bench.redis("GET", bits(filter)).toString() + bench.hash(state(filter));
  }

  private static List<String> keys(Filter filter) {
    return Keys.ofSegment(filter, 1);
  }

  private static String state(Filter filter) {
    return keys(filter).get(0);
  }

  private static String bits(Filter filter) {
    return keys(filter).get(1);
  }
}
