package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.redis.Script;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The scripts of rebuilds on a filter whose bits are a library's. */
class AdoptedRebuildScriptsTest extends AdoptionScriptCalls {

  @TestFactory
  Stream<DynamicTest> aRebuildIsTheRemedyForWhatIsLostAndNotForWhatIsAnothers() {
    return tests(
        harms(),
        (expected, harm) -> {
          var filter = adopted();
          harm.accept(filter);
          if (expected.startsWith("DAMAGED") && !expected.contains("state")) {
            var next = assertOpen(filter);
            assertEquals("OK", commit(next));
            assertEquals("OK", onBits(Script.VERIFY, next, next.generation()));
          } else {
            assertEquals(expected.strip(), bench.assertWritesNothing(() -> open(filter)));
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> aCommitTakesThePlaceOfTheFiltersKeysOnly() {
    return tests(
        harms(),
        (expected, harm) -> {
          var filter = adopted();
          var next = assertOpen(filter);
          harm.accept(filter);
          if (expected.startsWith("DAMAGED")) {
            assertEquals("OK", commit(next));
            assertEquals("OK", onBits(Script.VERIFY, next, next.generation()));
            assertEquals("130", bench.hash(config(filter)).get("size"));
            assertEquals("3", bench.hash(config(filter)).get("hashIterations"));
          } else {
            assertEquals(expected.strip(), bench.assertWritesNothing(() -> commit(next)));
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> norWhereTheStateIsLost() {
    return tests(
        harms(),
        (expected, harm) -> {
          var filter = adopted();
          var next = assertOpen(filter);
          harm.accept(filter);
          bench.redis("DEL", state(filter));
          if (expected.startsWith("DAMAGED")) {
            assertEquals("OK", commit(next));
            assertEquals("OK", onBits(Script.VERIFY, next, next.generation()));
          } else {
            assertEquals(expected.strip(), bench.assertWritesNothing(() -> commit(next)));
          }
        });
  }

  @Test
  void aCommitMovesTheBitsInFullAndTheStateTellsWhereTheyAre() {
    var filter = adopted();
    var next = assertOpen(filter);
    assertEquals("nextRedisKey", nextField(next, bits(filter)));
    assertEquals("nextConfigKey", nextField(next, config(filter)));
    assertEquals("OK", commit(next));
    assertEquals(17, bench.redis("STRLEN", bits(filter)).toInteger());
    for (var key : own(filter).subList(1, 6)) {
      assertFalse(bench.exists(key), key);
    }
    var now = FilterState.read(filter.name(), bench.hash(state(filter)), HashSecrets.of());
    assertEquals(filter.adoptedKey(), now.adoptedKey());
    assertEquals(next.generation(), now.generation());
    assertEquals(filter.createdAt(), now.createdAt());
    assertEquals("none", bench.field(filter, "nextRedisKey"));
    assertEquals("none", bench.field(filter, "nextConfigKey"));
  }

  @Test
  void aDeadlineThatTheLibraryGaveSurvivesACommit() {
    for (var dated : List.of(List.of(0L, SOON), List.of(LATE, SOON), List.of(SOON, LATE))) {
      var filter = filter(Optional.of(dated.get(0)).filter(at -> at > 0));
      assertEquals("CREATED", adopt(filter));
      var next = assertOpen(filter);
      date(bits(filter), dated.get(1));
      assertEquals("OK", commit(next));
      bench.assertDeadline(SOON, all(filter));
    }
    var undated = adopted();
    assertEquals("OK", commit(assertOpen(undated)));
    bench.assertDeadline(0, all(undated));
    assertEquals("none", bench.field(undated, "expiresAt"));
  }

  @Test
  void aCommitKeepsTheDeadlineToTheMillisecond() {
    var filter = filter(Optional.of(SOON));
    assertEquals("CREATED", adopt(filter));
    assertEquals("OK", commit(assertOpen(filter)));
    assertEquals(Long.toString(SOON), bench.field(filter, "expiresAt"));
  }

  @Test
  void aCommitWithADeadlineGivesItToAllKeys() {
    var filter = filter(Optional.of(SOON));
    assertEquals("CREATED", adopt(filter));
    assertEquals("OK", commit(assertOpen(filter), LATE));
    bench.assertDeadline(LATE, all(filter));
  }

  @Test
  void aRebuildOfAKeyThatWasLetGoIsNotCommittedToAnother() {
    var filter = adopted();
    var next = assertOpen(filter);
    var nextState = bench.hash(own(filter).get(3));
    bench.redis("HSET", state(filter), "redisKey", "another");
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next)));
    assertEquals(nextState, bench.hash(own(filter).get(3)));
  }

  /** The field of the next state that holds a value. */
  private static String nextField(Filter next, String value) {
    return bench.hash(own(next).get(3)).entrySet().stream()
        .filter(field -> field.getValue().equals(value))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("none");
  }
}
