package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The scripts on a filter's first segment: create, clear, expire, delete. */
class FilterScriptsTest extends FilterScriptCalls {

  @Test
  void createMakesStateAndBitsInFull() {
    var filter = bench.create();
    assertEquals(16, bench.redis("STRLEN", bits(filter.name())).toInteger());
    assertEquals(0, bench.redis("BITCOUNT", bits(filter.name())).toInteger());
    assertFalse(bench.exists(list(filter.name())));
    assertEquals(
        filter,
        FilterState.read(filter.name(), bench.hash(state(filter.name())), HashSecrets.of()));
    bench.assertDeadline(0, whole(filter.name()));
  }

  @Test
  void createGivesAllKeysTheDeadlineAndListsSegmentsToBeMade() {
    var filter = bench.create(3, 0, Optional.of(SOON));
    bench.assertDeadline(SOON, whole(filter.name()));
    assertEquals(Map.of(incarnation(filter), "3"), bench.hash(list(filter.name())));
    // Until all is reconciled: should the filter expire before, its segments must still be found.
    bench.assertDeadline(0, List.of(list(filter.name())));
    assertEquals("create", bench.field(filter, "pending"));
  }

  @Test
  void createDoesNotLetTheListOfAFilterBeforeItExpire() {
    var deleted = bench.createSeveral(Optional.of(SOON));
    assertEquals("OK", delete(deleted.name(), ""));
    var next = rename(ScriptBench.filter(1, 0, Optional.of(SOON)), deleted.name());
    assertEquals("CREATED", bench.runCreate(next));
    bench.assertDeadline(0, List.of(list(deleted.name())));
    assertEquals(Map.of(incarnation(deleted), "3"), bench.hash(list(deleted.name())));
  }

  @Test
  void createLeavesWhatIsThereAlone() {
    var filter = bench.create();
    assertEquals("EXISTS", bench.assertWritesNothing(() -> bench.runCreate(filter)));
    for (var key : whole(filter.name())) {
      var remains = bench.create();
      bench.redis(
          "DEL", key.equals(state(filter.name())) ? bits(remains.name()) : state(remains.name()));
      assertEquals("EXISTS", bench.assertWritesNothing(() -> bench.runCreate(remains)));
    }
    var foreign = ScriptBench.filter(3, 0, NEVER);
    bench.redis("SET", list(foreign.name()), "x");
    assertEquals("WRONG_TYPE segments", bench.assertWritesNothing(() -> bench.runCreate(foreign)));
  }

  @Test
  void clearEmptiesRaisesTheGenerationAndKeepsTheDeadline() {
    for (var deadline : List.of(NEVER, Optional.of(SOON))) {
      var filter = bench.create(1, 0, deadline);
      add(filter);
      assertEquals("OK", clear(filter));
      assertEquals(0, bench.redis("BITCOUNT", bits(filter.name())).toInteger());
      assertEquals(16, bench.redis("STRLEN", bits(filter.name())).toInteger());
      var now = FilterState.read(filter.name(), bench.hash(state(filter.name())), HashSecrets.of());
      assertEquals(filter.generation().next(), now.generation());
      assertEquals(Filter.Pending.NOTHING, now.pending());
      assertEquals(filter.revision() + 1, now.revision());
      assertEquals("0", bench.field(filter, "bitsSet"));
      assertEquals("0", bench.field(filter, "insertions"));
      bench.assertDeadline(deadline.orElse(0L), whole(filter.name()));
      assertEquals("STALE " + filter.generation().next(), clear(filter));
    }
  }

  @Test
  void clearGivesNoKeyADeadlineThatIsOnlyNotedYet() {
    var filter = bench.createSeveral(Optional.of(SOON));
    assertEquals("OK", expire(filter, LATE));
    assertEquals("OK", clear(filter));
    bench.assertDeadline(SOON, whole(filter.name()));
    assertEquals(Long.toString(LATE), bench.field(filter, "expiresAt"));
    assertEquals("clear", bench.field(filter, "pending"));
  }

  @Test
  void expireSetsAndRemovesTheDeadlineOfOneSegmentAtOnce() {
    var filter = bench.create();
    for (var deadline : List.of(SOON, LATE, SOON, 0L, LATE)) {
      assertEquals("OK", expire(filter, deadline));
      bench.assertDeadline(deadline, whole(filter.name()));
      assertEquals(deadline == 0 ? "none" : deadline.toString(), bench.field(filter, "expiresAt"));
      assertEquals("none", bench.field(filter, "pending"));
    }
    assertEquals(Long.toString(filter.revision() + 5), bench.field(filter, "revision"));
  }

  @Test
  void aDeadlineInThePastEndsTheWholeFilter() {
    var filter = bench.create();
    assertEquals("OK", expire(filter, 1));
    assertFalse(bench.exists(state(filter.name())));
    assertFalse(bench.exists(bits(filter.name())));
  }

  @Test
  void withSeveralSegmentsAnEarlierDeadlineIsApplied() {
    var filter = bench.createSeveral(NEVER);
    bench.assertDeadline(0, List.of(list(filter.name())));
    assertEquals("OK", expire(filter, SOON));
    bench.assertDeadline(SOON, whole(filter.name()));
    assertEquals("expire", bench.field(filter, "pending"));
    // The others have none yet: whoever finds the filter gone must find them here.
    bench.assertDeadline(0, List.of(list(filter.name())));
  }

  @Test
  void withSeveralSegmentsALaterDeadlineIsNotedUntilAllHaveIt() {
    for (var later : List.of(LATE, 0L)) {
      var filter = bench.createSeveral(Optional.of(SOON));
      bench.assertDeadline(SOON, List.of(list(filter.name())));
      assertEquals("OK", expire(filter, later));
      bench.assertDeadline(SOON, whole(filter.name()));
      bench.assertDeadline(0, List.of(list(filter.name())));
      assertEquals("expire", bench.field(filter, "pending"));
      // Earlier than what was noted, later than what the segments have.
      assertEquals("OK", expire(filter, SOON + 1_800_000));
      bench.assertDeadline(SOON, whole(filter.name()));
    }
  }

  @Test
  void deleteRemovesTheFilterAndKeepsTheListOfItsSegments() {
    var single = bench.create();
    assertEquals("OK", delete(single.name(), ""));
    assertNothingLeft(single.name());

    var several = bench.createSeveral(Optional.of(SOON));
    assertEquals("OK", delete(several.name(), ""));
    assertFalse(bench.exists(state(several.name())));
    assertFalse(bench.exists(bits(several.name())));
    assertEquals(Map.of(incarnation(several), "3"), bench.hash(list(several.name())));
    bench.assertDeadline(0, List.of(list(several.name())));
    assertEquals("GONE", bench.assertWritesNothing(() -> delete(several.name(), "")));
  }

  @Test
  void deleteOfANamedGenerationSparesAnyOther() {
    var filter = bench.create();
    assertEquals(
        "STALE " + filter.generation(),
        bench.assertWritesNothing(() -> delete(filter.name(), "another")));
    assertEquals("OK", delete(filter.name(), filter.generation()));
    bench.redis("SET", bits(filter.name()), "remains");
    assertEquals(
        "DAMAGED state",
        bench.assertWritesNothing(() -> delete(filter.name(), filter.generation())));
  }

  @Test
  void deleteRemovesWhatIsDamaged() {
    SegmentHarm.refusals(bench)
        .forEach(
            (what, harm) -> {
              var filter = bench.create();
              harm.done().accept(state(filter.name()), bits(filter.name()));
              var reply = delete(filter.name(), "");
              if (harm.reply().startsWith("DAMAGED") || harm.reply().startsWith("STALE")) {
                assertEquals("OK", reply, what);
                assertNothingLeft(filter.name());
              } else {
                assertEquals(harm.reply(), reply, what);
              }
            });
    var foreign = bench.create();
    bench.redis("SET", list(foreign.name()), "x");
    assertEquals(
        "WRONG_TYPE segments", bench.assertWritesNothing(() -> delete(foreign.name(), "")));
  }

  @Test
  void nothingButDeletionTouchesAFilterBeingCreated() {
    var filter = bench.create(3, 0, NEVER);
    assertEquals("NOT_READY", bench.assertWritesNothing(() -> clear(filter)));
    assertEquals("NOT_READY", bench.assertWritesNothing(() -> expire(filter, SOON)));
    assertEquals(
        "NOT_READY",
        bench.assertWritesNothing(() -> rename(filter.name(), ScriptBench.name(), true)));
    assertEquals("OK", delete(filter.name(), ""));
  }

  @TestFactory
  Stream<DynamicTest> changesRefuseWhatIsNotAsItShouldBe() {
    return SegmentHarm.refusals(bench).entrySet().stream()
        .flatMap(
            harm ->
                Stream.of(Script.CLEAR, Script.EXPIRE, Script.RENAME)
                    .map(
                        script ->
                            dynamicTest(
                                script + " " + harm.getKey(),
                                () -> assertRefused(script, harm.getValue()))));
  }

  private static void assertRefused(Script script, SegmentHarm harm) {
    var filter = bench.create();
    harm.done().accept(state(filter.name()), bits(filter.name()));
    if (script == Script.RENAME && harm.reply().startsWith("STALE")) {
      assertEquals("OK", rename(filter.name(), ScriptBench.name(), false));
      return;
    }
    assertEquals(
        harm.reply(),
        bench.assertWritesNothing(
            () ->
                switch (script) {
                  case CLEAR -> clear(filter);
                  case EXPIRE -> expire(filter, SOON);
                  default -> rename(filter.name(), ScriptBench.name(), true);
                }));
  }

  private static String clear(Filter filter) {
    return bench.run(
        Script.CLEAR,
        Keys.ofFilter(filter.name()),
        filter.generation(),
        filter.generation().next());
  }

  private static String expire(Filter filter, long deadline) {
    return bench.run(Script.EXPIRE, Keys.ofFilter(filter.name()), filter.generation(), deadline);
  }

  private static String delete(FilterName name, Object generation) {
    return bench.run(Script.DELETE, Keys.ofFilter(name), generation);
  }
}
