package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.redis.Script;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The scripts that let later segments follow: outline, reconcile, activate, free. */
class LaterSegmentScriptsTest extends ReconcilingScripts {

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

  /** Whoever makes one for a filter that was deleted long ago leaves nothing for good. */
  @Test
  void whatIsMadeEndsUnlessItIsActivated() {
    var filter = bench.create(3, 0, NEVER);
    bench.make(filter, 1, "one");
    for (var key : keys(filter)) {
      var left = bench.redis("PTTL", key).toLong();
      assertTrue(left > 3_000_000 && left <= 3_600_000, left + " ms left of " + key);
    }
    assertEquals("OK", bench.activate(filter, 1, "one"));
    bench.assertDeadline(0, keys(filter));
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
