package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The scripts on a filter whose bits are a library's: all that may have become of its keys. */
class AdoptionScriptsTest extends AdoptionScriptCalls {

  private static Map<String, Function<Filter, String>> questions() {
    var questions = new LinkedHashMap<String, Function<Filter, String>>();
    questions.put(
        "add", f -> onBits(Script.ADD, f, f.generation(), HASHES, ScriptBench.MARK, 0, 1, 2, 3));
    questions.put("test", f -> onBits(Script.TEST, f, f.generation(), HASHES, 1, 2, 3));
    questions.put("read", f -> onBits(Script.READ, f, f.generation(), 0, 100, HASHES));
    questions.put("count", f -> onBits(Script.COUNT, f, f.generation(), 0, 100));
    questions.put("verify", f -> onBits(Script.VERIFY, f, f.generation()));
    questions.put("describe", f -> onBits(Script.DESCRIBE, f, f.generation()));
    questions.put("describe any", f -> onBits(Script.DESCRIBE, f, ""));
    questions.put("clear", f -> onAll(Script.CLEAR, f, f.generation(), f.generation().next()));
    questions.put("expire", f -> onAll(Script.EXPIRE, f, f.generation(), LATE));
    questions.put("rename", f -> rename(f, ScriptBench.name(), 1));
    return questions;
  }

  @TestFactory
  Stream<DynamicTest> everyQuestionTellsWhatBecameOfTheKeysAndChangesNothing() {
    return tests(
        harms(),
        (expected, harm) ->
            questions()
                .forEach(
                    (script, ask) -> {
                      var filter = adopted();
                      harm.accept(filter);
                      var reply = bench.assertWritesNothing(() -> ask.apply(filter));
                      assertEquals(expected.strip(), reply, script);
                    }));
  }

  @TestFactory
  Stream<DynamicTest> nothingIsDeletedThatIsNotTheFilters() {
    return tests(
        harms(),
        (expected, harm) -> {
          var filter = adopted();
          harm.accept(filter);
          if (expected.startsWith("DAMAGED")) {
            assertEquals("OK", delete(filter, 1));
            all(filter).forEach(key -> assertFalse(bench.exists(key), key));
          } else {
            var reply = bench.assertWritesNothing(() -> delete(filter, 1));
            assertEquals(expected.strip(), reply);
          }
        });
  }

  /** A library that begins another filter under the key sets its first bit later. */
  @Test
  void theConfigOfAnotherFilterIsTheLibrarysThoughTheBitmapIsMissing() {
    var filter = adopted();
    assertEquals("OK", open(filter));
    bench.redis("DEL", bits(filter));
    bench.redis("HSET", config(filter), "size", 131);
    assertEquals("MISMATCH config", bench.assertWritesNothing(() -> delete(filter, 1)));
    assertEquals("MISMATCH config", bench.assertWritesNothing(() -> commit(filter)));
  }

  @Test
  void whatIsAnothersIsToldThoughTheStateIsDamagedToo() {
    var filter = adopted();
    bench.redis("HDEL", state(filter), "insertions");
    list(bits(filter));
    assertEquals("WRONG_TYPE bits", bench.assertWritesNothing(() -> delete(filter, 1)));
  }

  @TestFactory
  Stream<DynamicTest> whateverBecameOfTheKeysTheyCanBeLetGo() {
    return tests(
        harms(),
        (expected, harm) -> {
          var filter = adopted();
          harm.accept(filter);
          var there = List.of(bench.exists(bits(filter)), bench.exists(config(filter)));
          assertEquals("OK", delete(filter, 0));
          assertFalse(bench.exists(state(filter)));
          assertEquals(there, List.of(bench.exists(bits(filter)), bench.exists(config(filter))));
        });
  }

  @Test
  void clearAndExpireActOnTheLibrarysKeys() {
    var filter = filter(Optional.of(SOON));
    assertEquals("CREATED", adopt(filter));
    bench.redis("SETBIT", bits(filter), 129, 1);
    var cleared = filter.generation().next();
    assertEquals("OK", onAll(Script.CLEAR, filter, filter.generation(), cleared));
    assertEquals(1, bench.redis("STRLEN", bits(filter)).toInteger());
    assertEquals(0, bench.redis("BITCOUNT", bits(filter)).toInteger());
    bench.assertDeadline(SOON, all(filter));
    assertEquals("OK", onAll(Script.EXPIRE, filter, cleared, LATE));
    bench.assertDeadline(LATE, all(filter));
    assertEquals("OK", onAll(Script.EXPIRE, filter, cleared, 0));
    bench.assertDeadline(0, all(filter));
  }

  @Test
  void countsAreOfTheBitmapAndInsertionsOfTheService() {
    var filter = adopted();
    bench.redis("SETBIT", bits(filter), 129, 1);
    assertEquals(
        "OK 11",
        onBits(
            Script.ADD,
            filter,
            filter.generation(),
            HASHES,
            ScriptBench.MARK,
            0,
            1,
            2,
            3,
            1,
            2,
            4));
    assertEquals(
        "OK 0",
        onBits(Script.ADD, filter, filter.generation(), HASHES, ScriptBench.MARK, 0, 1, 2, 129));
    assertEquals("OK 5 2", onBits(Script.COUNT, filter, filter.generation(), 0, 16));
    assertEquals("OK 1 2", onBits(Script.COUNT, filter, filter.generation(), 16, 16));
    assertEquals("2", bench.field(filter, "insertions"));
    assertEquals("0", bench.field(filter, "bitsSet"));
  }

  @Test
  void whoDoesNotKnowTheKeyIsToldItAndNothingIsDone() {
    var filter = adopted();
    var elsewhere = "ELSEWHERE " + bits(filter) + " " + config(filter);
    var native_ = Keys.ofFilter(filter.name());
    var other = Keys.withAdopted(native_, Optional.of(new AdoptedKey("other", Optional.empty())));
    var lessConfig =
        Keys.withAdopted(
            native_, filter.adoptedKey().map(k -> new AdoptedKey(k.redisKey(), Optional.empty())));
    for (var keys : List.of(native_, other, lessConfig)) {
      assertEquals(
          elsewhere,
          bench.assertWritesNothing(() -> bench.run(Script.DESCRIBE, keys.subList(0, 2), "")));
      assertEquals(
          elsewhere, bench.assertWritesNothing(() -> bench.run(Script.DELETE, keys, "", "1")));
      var names = new ArrayList<>(keys);
      names.addAll(6, Keys.ofFilter(ScriptBench.name()));
      assertEquals(
          elsewhere, bench.assertWritesNothing(() -> bench.run(Script.RENAME, names, "1")));
    }
    var ours = bench.create();
    var keys = Keys.withAdopted(Keys.ofFilter(ours.name()), filter.adoptedKey());
    assertEquals(
        "ELSEWHERE", bench.assertWritesNothing(() -> bench.run(Script.DELETE, keys, "", "1")));
  }

  @Test
  void aRenameLeavesTheLibrarysKeysOfBothWhereTheyAre() {
    var filter = adopted();
    var target = adopted();
    var next = assertOpen(filter);
    var keys = new ArrayList<>(Keys.ofFilter(filter));
    keys.addAll(6, Keys.ofFilter(target.name()));
    assertEquals("EXISTS", bench.assertWritesNothing(() -> bench.run(Script.RENAME, keys, "0")));
    assertEquals("OK", bench.run(Script.RENAME, keys, "1"));
    assertTrue(bench.exists(bits(filter)) && bench.exists(config(filter)));
    assertFalse(bench.exists(own(target).get(1)));
    assertTrue(bench.exists(bits(target)) && bench.exists(config(target)));
    assertFalse(bench.exists(state(filter)));
    assertEquals(bits(filter), bench.field(target, "redisKey"));
    var moved =
        FilterState.readNext(target.name(), bench.hash(own(target).get(3)), HashSecrets.of());
    assertEquals(next.adoptedKey(), moved.adoptedKey());
    assertEquals("OK", commit(moved));
    assertEquals(17, bench.redis("STRLEN", bits(filter)).toInteger());
    assertEquals(1, bench.redis("STRLEN", bits(target)).toInteger());
  }

  @Test
  void anotherGenerationIsToldWhateverBecameOfTheKeys() {
    var filter = adopted();
    var before = filter.generation();
    assertEquals("OK", onAll(Script.CLEAR, filter, before, before.next()));
    list(bits(filter));
    assertEquals("STALE " + before.next(), onBits(Script.TEST, filter, before, HASHES, 1, 2, 3));
    bench.redis("DEL", state(filter));
    assertEquals("GONE", onBits(Script.TEST, filter, before, HASHES, 1, 2, 3));
    assertEquals("GONE", onBits(Script.ADD, filter, before, HASHES, ScriptBench.MARK, 0, 1, 2, 3));
  }

  private static String delete(Filter filter, int andKey) {
    return bench.run(Script.DELETE, Keys.ofFilter(filter), "", andKey);
  }

  private static String rename(Filter filter, FilterName to, int replace) {
    var keys = new ArrayList<>(Keys.ofFilter(filter));
    keys.addAll(6, Keys.ofFilter(to));
    return bench.run(Script.RENAME, keys, replace);
  }

  private static String onAll(Script script, Filter filter, Object... arguments) {
    return bench.run(script, Keys.ofFilter(filter), arguments);
  }
}
