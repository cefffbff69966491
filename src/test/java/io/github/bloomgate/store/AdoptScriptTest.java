package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterPlan;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The script that adopts a library's bitmap: what it makes, takes and refuses. */
class AdoptScriptTest extends AdoptionScriptCalls {

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
}
