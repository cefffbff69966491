package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.Script;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The scripts on a filter whose bits are a library's: all that may have become of its keys. */
class AdoptionScriptsTest {

  /** 17 bytes, the last of them in part. */
  private static final int BITS = 130;

  private static final int HASHES = 3;

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
  void adoptMakesKeyAndConfigThatTheLibraryCanOpen() {
    var filter = adopted();
    assertEquals(1, bench.redis("STRLEN", bits(filter)).toInteger());
    assertEquals(
        Map.of(
            "size", "130",
            "hashIterations", "3",
            "expectedInsertions", Long.toString(filter.parameters().expectedInsertions()),
            "falseProbability", "0.125"),
        bench.hash(config(filter)));
    assertEquals(
        filter, FilterState.read(filter.name(), bench.hash(state(filter)), HashSecrets.of()));
    bench.assertDeadline(0, all(filter));
  }

  @Test
  void adoptLeavesWhatIsThereAsItIs() {
    var filter = filter(Optional.empty());
    bench.redis("SET", bits(filter), "12345678901234567");
    bench.redis("HSET", config(filter), "size", BITS, "hashIterations", HASHES, "more", "x");
    var before = bench.hash(config(filter));
    assertEquals("CREATED", adopt(filter));
    assertEquals("12345678901234567", bench.redis("GET", bits(filter)).toString());
    assertEquals(before, bench.hash(config(filter)));
  }

  @TestFactory
  Stream<DynamicTest> adoptChangesNothingWhereItIsRefused() {
    var harms = new LinkedHashMap<String, Consumer<Filter>>();
    harms.put("MISMATCH bits", f -> bench.redis("SETBIT", bits(f), 136, 0));
    harms.put("MISMATCH config", f -> bench.redis("HSET", config(f), "size", 131));
    harms.put("MISMATCH config ", f -> bench.redis("HSET", config(f), "hashIterations", 4));
    harms.put("MISMATCH config  ", f -> bench.redis("HDEL", config(f), "size"));
    harms.put("MISMATCH noConfig", f -> bench.redis("DEL", config(f)));
    harms.put("WRONG_TYPE bits", f -> list(bits(f)));
    harms.put("WRONG_TYPE config", f -> list(config(f)));
    harms.put("WRONG_TYPE segments", f -> list(own(f).get(2)));
    harms.put("WRONG_TYPE nextState", f -> list(own(f).get(3)));
    harms.put("EXISTS", f -> bench.redis("HSET", state(f), "x", "y"));
    harms.put("EXISTS ", f -> bench.redis("SETBIT", own(f).get(1), 63, 0));
    return tests(
        harms,
        (expected, harm) -> {
          var filter = filter(Optional.of(SOON));
          bench.redis("SETBIT", bits(filter), BITS - 1, 1);
          bench.redis("HSET", config(filter), "size", BITS, "hashIterations", HASHES);
          harm.accept(filter);
          assertEquals(expected.strip(), bench.assertWritesNothing(() -> adopt(filter)));
        });
  }

  @Test
  void adoptTakesTheEarliestDeadlineThatALibraryGaveItsKeys() {
    for (var dated : List.of(List.of(SOON, LATE), List.of(LATE, SOON), List.of(SOON, 0L))) {
      var filter = filter(Optional.empty());
      bench.redis("SETBIT", bits(filter), 1, 1);
      bench.redis("HSET", config(filter), "size", BITS, "hashIterations", HASHES);
      date(bits(filter), dated.get(0));
      date(config(filter), dated.get(1));
      assertEquals("CREATED", adopt(filter));
      bench.assertDeadline(SOON, all(filter));
      assertTrue(Math.abs(SOON - Long.parseLong(bench.field(filter, "expiresAt"))) < 1_000);
    }
    // The library was told so before it had set a bit.
    var young = filter(Optional.empty());
    bench.redis("HSET", config(young), "size", BITS, "hashIterations", HASHES);
    date(config(young), SOON);
    assertEquals("CREATED", adopt(young));
    bench.assertDeadline(SOON, all(young));
  }

  @Test
  void adoptGivesAllKeysTheDeadlineAskedFor() {
    var filter = filter(Optional.of(LATE));
    bench.redis("SETBIT", bits(filter), 1, 1);
    bench.redis("HSET", config(filter), "size", BITS, "hashIterations", HASHES);
    date(bits(filter), SOON);
    assertEquals("CREATED", adopt(filter));
    bench.assertDeadline(LATE, all(filter));
    assertEquals(Long.toString(LATE), bench.field(filter, "expiresAt"));
  }

  @Test
  void adoptDropsWhatSomebodyLoadsUnderItsNameAndKeepsTheListOfItsSegments() {
    var filter = filter(Optional.empty());
    var keys = own(filter);
    bench.redis("HSET", keys.get(2), "0123456789abcdef", 3);
    date(keys.get(2), SOON);
    var hidden = Filter.toCome(filter.name(), FilterPlan.of(filter.parameters()), Instant.EPOCH);
    assertEquals("OK", open(hidden, ""));
    bench.redis("HSET", keys.get(5), "kind", "url");
    date(keys.get(2), SOON);
    assertEquals("CREATED", adopt(filter));
    keys.subList(3, 6).forEach(key -> assertFalse(bench.exists(key), key));
    bench.assertDeadline(0, List.of(keys.get(2)));
  }

  /** What becomes of the library's keys, and what every script then answers. */
  private static Map<String, Consumer<Filter>> harms() {
    var harms = new LinkedHashMap<String, Consumer<Filter>>();
    harms.put("DAMAGED bits", f -> bench.redis("DEL", bits(f)));
    harms.put("DAMAGED bits ", f -> bench.redis("SET", bits(f), ""));
    harms.put("DAMAGED config", f -> bench.redis("DEL", config(f)));
    harms.put("DAMAGED config ", f -> bench.redis("HDEL", config(f), "size"));
    harms.put("DAMAGED config  ", f -> bench.redis("HDEL", config(f), "hashIterations"));
    harms.put("DAMAGED state", f -> bench.redis("HDEL", state(f), "segmentBits"));
    harms.put("DAMAGED state ", f -> bench.redis("HDEL", state(f), "insertions"));
    harms.put("WRONG_TYPE bits", f -> list(bits(f)));
    harms.put("WRONG_TYPE config", f -> list(config(f)));
    harms.put("MISMATCH bits", f -> bench.redis("SETBIT", bits(f), 136, 0));
    harms.put("MISMATCH config", f -> bench.redis("HSET", config(f), "size", "0130"));
    harms.put("MISMATCH config ", f -> bench.redis("HSET", config(f), "hashIterations", 4));
    return harms;
  }

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
  void aRebuildOfAKeyThatWasLetGoIsNotCommittedToAnother() {
    var filter = adopted();
    var next = assertOpen(filter);
    var nextState = bench.hash(own(filter).get(3));
    bench.redis("HSET", state(filter), "redisKey", "another");
    assertEquals("NO_REBUILD", bench.assertWritesNothing(() -> commit(next)));
    assertEquals(nextState, bench.hash(own(filter).get(3)));
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

  private interface Check {
    void of(String expected, Consumer<Filter> harm);
  }

  private static Stream<DynamicTest> tests(Map<String, Consumer<Filter>> harms, Check check) {
    return harms.entrySet().stream()
        .map(
            harm ->
                dynamicTest(
                    "[" + harm.getKey() + "]", () -> check.of(harm.getKey(), harm.getValue())));
  }

  private static Filter filter(Optional<Long> deadline) {
    var scheme = HashSchemes.named("redisson").orElseThrow();
    var name = ScriptBench.name();
    return Filter.adopt(
        name,
        FilterParameters.forShape(scheme, BITS, HASHES, WhenFull.ACCEPT),
        AdoptedKey.of(scheme, "bloom of " + name),
        Instant.ofEpochMilli(1_700_000_000_000L),
        deadline.map(Instant::ofEpochMilli));
  }

  private static Filter adopted() {
    var filter = filter(Optional.empty());
    assertEquals("CREATED", adopt(filter));
    return filter;
  }

  private static String adopt(Filter filter) {
    var parameters = filter.parameters();
    var arguments =
        new ArrayList<Object>(
            List.of(
                BITS,
                HASHES,
                filter.expiresAt().map(at -> Long.toString(at.toEpochMilli())).orElse(""),
                parameters.expectedInsertions(),
                parameters.falsePositiveProbability()));
    arguments.addAll(FilterState.newFields(filter));
    return bench.run(Script.ADOPT, Keys.ofAdoption(filter), arguments.toArray());
  }

  private static Filter assertOpen(Filter filter) {
    var next =
        filter.successor(
            FilterPlan.of(filter.parameters()), Instant.ofEpochMilli(1_700_000_000_001L));
    assertEquals("OK", open(next, filter.generation().toString()));
    return next;
  }

  private static String open(Filter filter) {
    return open(
        filter.successor(FilterPlan.of(filter.parameters()), Instant.EPOCH),
        filter.generation().toString());
  }

  private static String open(Filter next, String live) {
    var arguments =
        new ArrayList<Object>(
            List.of(live, next.generation(), next.generation().incarnation(), 1, BITS, 60_000));
    arguments.addAll(FilterState.newFields(next));
    return bench.run(Script.OPEN, Keys.ofFilter(next), arguments.toArray());
  }

  private static String commit(Filter next) {
    return commit(next, "");
  }

  private static String commit(Filter next, Object deadline) {
    var generation = bench.redis("HGET", own(next).get(3), "generation");
    return bench.run(Script.COMMIT, Keys.ofFilter(next), generation, 0, deadline);
  }

  private static String delete(Filter filter, int andKey) {
    return bench.run(Script.DELETE, Keys.ofFilter(filter), "", andKey);
  }

  private static String rename(Filter filter, FilterName to, int replace) {
    var keys = new ArrayList<>(Keys.ofFilter(filter));
    keys.addAll(6, Keys.ofFilter(to));
    return bench.run(Script.RENAME, keys, replace);
  }

  /** The field of the next state that holds a value. */
  private static String nextField(Filter next, String value) {
    return bench.hash(own(next).get(3)).entrySet().stream()
        .filter(field -> field.getValue().equals(value))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("none");
  }

  private static String onBits(Script script, Filter filter, Object... arguments) {
    var keys = Keys.withAdopted(Keys.ofFirstSegment(filter.name()), filter.adoptedKey());
    return bench.run(script, keys, arguments);
  }

  private static String onAll(Script script, Filter filter, Object... arguments) {
    return bench.run(script, Keys.ofFilter(filter), arguments);
  }

  private static void list(String key) {
    bench.redis("DEL", key);
    bench.redis("RPUSH", key, "theirs");
  }

  private static void date(String key, long deadline) {
    bench.redis(deadline == 0 ? "EXISTS" : "PEXPIREAT", dated(key, deadline));
  }

  private static Object[] dated(String key, long deadline) {
    return deadline == 0 ? new Object[] {key} : new Object[] {key, deadline};
  }

  private static List<String> own(Filter filter) {
    return Keys.ofFilter(filter.name());
  }

  private static String state(Filter filter) {
    return own(filter).get(0);
  }

  private static String bits(Filter filter) {
    return filter.adoptedKey().orElseThrow().redisKey();
  }

  private static String config(Filter filter) {
    return filter.adoptedKey().orElseThrow().companionKey().orElseThrow();
  }

  private static List<String> all(Filter filter) {
    return List.of(state(filter), bits(filter), config(filter));
  }
}
