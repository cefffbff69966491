package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Script;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The scripts on one segment: add, test, describe, verify, and the guard of all scripts. */
class ElementScriptsTest extends OnScriptBench {

  private static final List<String> COUNTED_FREELY =
      List.of("createdAt", "revision", "expectedInsertions", "falsePositiveProbability");

  @Test
  void addSetsExactlyTheBitsAndCountsThem() {
    var filter = bench.create();
    assertEquals("OK 1", add(filter, 3, 0, 64, 127));
    assertEquals("OK 1", add(filter, 3, 0, 1, 64));
    assertCounts(filter, 4, 2);
    for (var bit = 0; bit < ScriptBench.SEGMENT_BITS; bit++) {
      var expected = List.of(0, 1, 64, 127).contains(bit) ? 1 : 0;
      assertEquals(expected, bench.redis("GETBIT", bits(filter), bit).toInteger(), "bit " + bit);
    }
    assertEquals(16, bench.redis("STRLEN", bits(filter)).toInteger());
  }

  @Test
  void anElementTwiceInABatchIsNewOnce() {
    var filter = bench.create(2, 0);
    assertEquals("OK 1010", add(filter, 2, 5, 6, 5, 6, 6, 7, 7, 5));
    assertCounts(filter, 3, 2);
  }

  @Test
  void theSameBitTwiceInAnElementCountsOnce() {
    var filter = bench.create();
    assertEquals("OK 1", add(filter, 3, 9, 9, 9));
    assertCounts(filter, 1, 1);
  }

  @Test
  void oneAndSixtyFourHashFunctions() {
    var one = bench.create(1, 0);
    assertEquals("OK 110", add(one, 1, 3, 4, 3));
    assertEquals("OK 110 0", test(one, 1, 4, 3, 5));
    assertCounts(one, 2, 2);

    var many = bench.create(64, 0);
    var first = IntStream.range(0, 64).toArray();
    var second = IntStream.range(63, 127).toArray();
    assertEquals("OK 11", add(many, 64, concat(first, second)));
    assertEquals("OK 11 0", test(many, 64, concat(second, first)));
    assertEquals("OK 0 0", test(many, 64, IntStream.range(64, 128).toArray()));
    assertCounts(many, 127, 2);
  }

  @Test
  void addThatChangesNothingWritesNothing() {
    var filter = bench.create();
    add(filter, 3, 1, 2, 3);
    // SETBIT counts as a change to the data even where it sets a bit that was set.
    var before = bench.hash(state(filter));
    assertEquals("OK 0", add(filter, 3, 1, 2, 3));
    assertEquals(before, bench.hash(state(filter)));
  }

  @Test
  void fullStopsExactlyAtTheLastInsertion() {
    var filter = bench.create(1, 3);
    // Four new ones, one known before the last: three are taken, the known one is answered.
    assertEquals("FULL 1101", add(filter, 1, 1, 2, 1, 3, 4, 5));
    assertCounts(filter, 3, 3);
    assertEquals("OK 000 1", test(filter, 1, 4, 5, 6));
    assertEquals("OK 000", add(filter, 1, 1, 2, 3));
    assertEquals("FULL 00", add(filter, 1, 3, 2, 4, 1));
    assertEquals("FULL", add(filter, 1, 4));
    assertCounts(filter, 3, 3);
    assertEquals("OK 1110 1", test(filter, 1, 1, 2, 3, 4));
  }

  @Test
  void aFullSegmentTakesNoPartOfAnElement() {
    var filter = bench.create(1, 1, Optional.empty());
    assertEquals("FULL 1", add(filter, 3, 1, 2, 3, 1, 2, 4));
    assertEquals("OK 10 1", test(filter, 3, 1, 2, 3, 1, 2, 4));
    assertCounts(filter, 3, 1);
  }

  @Test
  void aFullSegmentOfAFilterThatGrowsGoesOnBehindWhatItRefuses() {
    var filter = bench.create(1, 2);
    var generation = filter.generation();
    assertEquals(
        "OK 11202", run(Script.ADD, filter, generation, 1, ScriptBench.MARK, 1, 1, 2, 3, 2, 4));
    assertCounts(filter, 2, 2);
    assertEquals("OK 1100 1", test(filter, 1, 1, 2, 3, 4));
  }

  @Test
  void testWritesNothing() {
    var filter = bench.create(2, 0);
    add(filter, 2, 1, 2);
    assertEquals("OK 100 0", bench.assertWritesNothing(() -> test(filter, 2, 2, 1, 2, 3, 4, 5)));
  }

  @Test
  void describeGivesTheStateAndWritesNothing() {
    var filter = bench.create();
    add(filter, 3, 1, 2, 3);
    var expected = "OK " + bench.hash(state(filter));
    assertEquals(expected, bench.assertWritesNothing(() -> run(Script.DESCRIBE, filter, "")));
    assertEquals(expected, run(Script.DESCRIBE, filter, filter.generation()));
    assertEquals("STALE " + filter.generation(), run(Script.DESCRIBE, filter, "another"));
  }

  @Test
  void verifyConfirmsAndWritesNothing() {
    var filter = bench.create();
    assertEquals(
        "OK", bench.assertWritesNothing(() -> run(Script.VERIFY, filter, filter.generation())));
  }

  @TestFactory
  Stream<DynamicTest> everyScriptOnASegmentRefusesWhatIsNotAsItShouldBe() {
    return SegmentHarm.refusals(bench).entrySet().stream()
        .flatMap(
            harm ->
                Stream.of(Script.ADD, Script.TEST, Script.DESCRIBE, Script.VERIFY)
                    .map(
                        script ->
                            dynamicTest(
                                script + " " + harm.getKey(),
                                () -> assertRefused(script, harm.getValue()))));
  }

  private static void assertRefused(Script script, SegmentHarm harm) {
    var filter = bench.create();
    add(filter, 3, 1, 2, 3);
    harm.done().accept(state(filter), bits(filter));
    var reply =
        bench.assertWritesNothing(
            () ->
                switch (script) {
                  case ADD -> add(filter, 3, 100, 101, 102);
                  case TEST -> test(filter, 3, 100, 101, 102);
                  default -> run(script, filter, filter.generation());
                });
    assertEquals(harm.reply(), reply);
  }

  @Test
  void countsThatNoSegmentCanHaveAreDamage() {
    for (var field : List.of("bitsSet", "insertions")) {
      for (var value : List.of("-1", "1.5", "1e300", "0x1")) {
        var filter = bench.create();
        bench.redis("HSET", state(filter), field, value);
        assertEquals(
            Optional.empty(), FilterState.readCounts(bench.hash(state(filter))), field + value);
      }
    }
    var filter = bench.create();
    bench.redis("HSET", state(filter), "bitsSet", ScriptBench.SEGMENT_BITS + 1);
    assertEquals(Optional.empty(), FilterState.readCounts(bench.hash(state(filter))));
  }

  @Test
  void aStateThatCannotBeReadIsDamage() {
    var whole = bench.hash(state(bench.create()));
    var name = ScriptBench.name();
    assertNotEquals(0, whole.size());
    for (var field : whole.keySet()) {
      if (List.of("bitsSet", "insertions", "maxInsertions", "mark").contains(field)) {
        continue;
      }
      for (var value : List.of("", "x", "-1")) {
        var harmed = new TreeMap<>(whole);
        harmed.put(field, value);
        // What no computation depends on may be any number.
        if (!value.equals("-1") || !COUNTED_FREELY.contains(field)) {
          assertDamaged(harmed, name, field + "=" + value);
        }
      }
      var without = new TreeMap<>(whole);
      without.remove(field);
      assertDamaged(without, name, "no " + field);
    }
  }

  /** Redis 7.2 and later let replicas confirm no more than what the connection wrote last. */
  @Test
  void anAddThatReplicasAreWaitedForAlwaysWritesSomething() {
    var filter = bench.create();
    assertEquals("OK 1", add(filter, 3, 1, 2, 3));
    var before = bench.changes();
    assertEquals("OK 0", add(filter, 3, 1, 2, 3));
    var usual = bench.changes() - before;
    assertEquals("OK 0", add(filter, -3, 1, 2, 3));
    var awaited = bench.changes() - before - usual;
    // Redis 6.2 takes a bit that was set for a change too.
    assertTrue(awaited > usual, awaited + " changes instead of " + usual);
    assertCounts(filter, 3, 1);
  }

  private static void assertDamaged(Map<String, String> fields, FilterName name, String harm) {
    var failure =
        assertThrows(
            BloomException.class, () -> FilterState.read(name, fields, HashSecrets.of()), harm);
    assertEquals(ErrorCode.FILTER_DAMAGED, failure.code(), harm);
  }

  private static String add(Filter filter, int k, int... offsets) {
    var arguments = new ArrayList<Object>(List.of(filter.generation(), k, ScriptBench.MARK, 0));
    Arrays.stream(offsets).forEach(arguments::add);
    return run(Script.ADD, filter, arguments.toArray());
  }

  private static String test(Filter filter, int k, int... offsets) {
    var arguments = new ArrayList<Object>(List.of(filter.generation(), k));
    Arrays.stream(offsets).forEach(arguments::add);
    return run(Script.TEST, filter, arguments.toArray());
  }

  private static String run(Script script, Filter filter, Object... arguments) {
    return bench.run(script, Keys.ofFirstSegment(filter.name()), arguments);
  }

  private static void assertCounts(Filter filter, long bitsSet, long insertions) {
    var counted = FilterState.readCounts(bench.hash(state(filter))).orElseThrow();
    assertEquals(bitsSet, counted.bitsSet());
    assertEquals(bitsSet, bench.redis("BITCOUNT", bits(filter)).toLong());
    assertEquals(insertions, counted.insertions());
    assertTrue(counted.insertions() <= counted.bitsSet());
  }

  private static int[] concat(int[] one, int[] other) {
    return IntStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
  }

  private static String state(Filter filter) {
    return Keys.ofFirstSegment(filter.name()).get(0);
  }

  private static String bits(Filter filter) {
    return Keys.ofFirstSegment(filter.name()).get(1);
  }
}
