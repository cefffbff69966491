package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** The scripts on a filter whose bits are a library's, on a bench. */
abstract class AdoptionScriptCalls extends OnScriptBench {

  /** 17 bytes, the last of them in part. */
  static final int BITS = 130;

  static final int HASHES = 3;

  /** What becomes of the library's keys, and what every script then answers. */
  static Map<String, Consumer<Filter>> harms() {
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

  interface Check {
    void of(String expected, Consumer<Filter> harm);
  }

  static Stream<DynamicTest> tests(Map<String, Consumer<Filter>> harms, Check check) {
    return harms.entrySet().stream()
        .map(
            harm ->
                dynamicTest(
                    "[" + harm.getKey() + "]", () -> check.of(harm.getKey(), harm.getValue())));
  }

  static Filter filter(Optional<Long> deadline) {
    var scheme = HashSchemes.named("redisson").orElseThrow();
    var name = ScriptBench.name();
    return Filter.adopt(
        name,
        FilterParameters.forShape(scheme, BITS, HASHES, WhenFull.ACCEPT),
        AdoptedKey.of(scheme, "bloom of " + name),
        Instant.ofEpochMilli(1_700_000_000_000L),
        deadline.map(Instant::ofEpochMilli));
  }

  static Filter adopted() {
    var filter = filter(Optional.empty());
    assertEquals("CREATED", adopt(filter));
    return filter;
  }

  static String adopt(Filter filter) {
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

  static Filter assertOpen(Filter filter) {
    var next =
        filter.successor(
            FilterPlan.of(filter.parameters()), Instant.ofEpochMilli(1_700_000_000_001L));
    assertEquals("OK", open(next, filter.generation().toString()));
    return next;
  }

  static String open(Filter filter) {
    return open(
        filter.successor(FilterPlan.of(filter.parameters()), Instant.EPOCH),
        filter.generation().toString());
  }

  static String open(Filter next, String live) {
    var arguments =
        new ArrayList<Object>(
            List.of(live, next.generation(), next.generation().incarnation(), 1, BITS, 60_000));
    arguments.addAll(FilterState.newFields(next));
    return bench.run(Script.OPEN, Keys.ofFilter(next), arguments.toArray());
  }

  static String commit(Filter next) {
    return commit(next, "");
  }

  static String commit(Filter next, Object deadline) {
    var generation = bench.redis("HGET", own(next).get(3), "generation");
    return bench.run(Script.COMMIT, Keys.ofFilter(next), generation, 0, deadline);
  }

  static String onBits(Script script, Filter filter, Object... arguments) {
    var keys = Keys.withAdopted(Keys.ofFirstSegment(filter.name()), filter.adoptedKey());
    return bench.run(script, keys, arguments);
  }

  static void list(String key) {
    bench.redis("DEL", key);
    bench.redis("RPUSH", key, "theirs");
  }

  static void date(String key, long deadline) {
    bench.redis(deadline == 0 ? "EXISTS" : "PEXPIREAT", dated(key, deadline));
  }

  static Object[] dated(String key, long deadline) {
    return deadline == 0 ? new Object[] {key} : new Object[] {key, deadline};
  }

  static List<String> own(Filter filter) {
    return Keys.ofFilter(filter.name());
  }

  static String state(Filter filter) {
    return own(filter).get(0);
  }

  static String bits(Filter filter) {
    return filter.adoptedKey().orElseThrow().redisKey();
  }

  static String config(Filter filter) {
    return filter.adoptedKey().orElseThrow().companionKey().orElseThrow();
  }

  static List<String> all(Filter filter) {
    return List.of(state(filter), bits(filter), config(filter));
  }
}
