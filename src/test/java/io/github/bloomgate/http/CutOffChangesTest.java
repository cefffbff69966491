package io.github.bloomgate.http;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The state after an instance dies between two calls of a change, and what the next change does
 * with it.
 */
@QuarkusTest
class CutOffChangesTest extends FilterAndKeys {

  /** The changes after which the name is free. */
  private static final Set<String> GONE_AFTER = Set.of("delete", "rename");

  @Test
  void anEntryWithoutAFilterDoesNotPreventACreate() {
    var name = Api.newFilter();
    redis.run("DEL", stateKey(name));
    Api.describe(name).statusCode(404);
    Api.put(name, "{\"expectedInsertions\": 5}").statusCode(201);
    Api.list("prefix=" + name).body("filters.name", equalTo(List.of(name)));
  }

  @Test
  void anUnconfirmedFilterIsListedAfterTheNextChange() {
    var name = Api.newFilter();
    redis.run("ZREM", "bloom:{=names}", name);
    redis.run("HDEL", "bloom:{=names}:usage", name);
    Api.expiry(name, "{\"ttlSeconds\": 5000}").statusCode(200);
    Api.list("prefix=" + name).body("filters.name", equalTo(List.of(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"creation", "copy", "deletion"})
  void theNextChangeFinishesAnInterruptedDeletion(String change) {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    var segment = keysOf(name).get(1);
    redis.run("HDEL", stateKey(name), "version");
    if (change.equals("deletion")) {
      Api.delete(name).statusCode(204);
      assertEquals(0, redis.run("EXISTS", stateKey(name)).toInteger());
      Api.delete(name).statusCode(404);
    } else {
      Api.test(name, "old").statusCode(404);
      if (change.equals("creation")) {
        Api.put(name, "{\"expectedInsertions\": 1000}").statusCode(201);
        Api.add(name, "new").statusCode(200);
      } else {
        var original = Api.newFilter();
        Api.add(original, "new").statusCode(200);
        Api.post(original, "copy", Map.of("to", name)).statusCode(201);
      }
      Api.test(name, "old", "new").body("mightContain", equalTo(List.of(false, true)));
    }
    assertFreed(segment);
  }

  @Test
  void aListRemovesTheNameOfADeletedFilter() {
    var name = Api.newFilter();
    redis.run("DEL", stateKey(name));
    Api.list("prefix=" + name).body("filters", hasSize(0));
    assertNull(redis.run("ZSCORE", "bloom:{=names}", name));
  }

  @Test
  void theNextChangeDropsLeftoverContent() {
    for (var change : List.of("clear", "expire", "delete", "rename", "replace", "mend")) {
      var name = Api.newFilter();
      Api.add(name, "old").statusCode(200);
      var segment = keysOf(name).get(1);
      Api.post(name, "clear", "").statusCode(200);
      // Simulates an instance that died after the script that clears the filter.
      redis.run("PERSIST", segment);
      var note = "%s %s \u0080".formatted(name, segment.split(":")[2]);
      redis.run("HSET", stateKey(name), "dropped", note.getBytes(StandardCharsets.ISO_8859_1));
      Api.add(name, "new").statusCode(200);
      assertEquals(-1, redis.run("PTTL", segment).toLong());
      change(change, name);
      assertFreed(segment);
    }
  }

  @Test
  void theNextChangeRemovesADamagedNoteOfLeftoverContent() {
    for (var note : List.of("x", "no spaces", "a/b 0123456789abcdef x", "a 0123 x")) {
      for (var change : List.of("clear", "expire", "delete", "rename", "replace", "mend")) {
        var name = Api.newFilter();
        Api.add(name, "old").statusCode(200);
        redis.run("HSET", stateKey(name), "dropped", note);
        Api.test(name, "old").body("mightContain", equalTo(List.of(true)));
        change(change, name);
        Api.describe(name).statusCode(GONE_AFTER.contains(change) ? 404 : 200);
        assertNotEquals(note, String.valueOf(redis.run("HGET", stateKey(name), "dropped")));
      }
    }
  }

  private void change(String change, String name) {
    switch (change) {
      case "clear" -> Api.post(name, "clear", "").statusCode(200);
      case "expire" -> Api.expiry(name, "{\"ttlSeconds\": 5000}").statusCode(200);
      case "delete" -> Api.delete(name).statusCode(204);
      case "rename" -> Api.post(name, "rename", Map.of("to", Api.newName())).statusCode(200);
      case "replace" -> replace(name);
      default -> {
        redis.run("HDEL", stateKey(name), "definition", "generation");
        Api.describe(name).statusCode(410);
        replace(name);
      }
    }
  }

  private static void replace(String name) {
    var other = Api.newFilter();
    Api.post(other, "rename", Map.of("to", name, "replace", true)).statusCode(200);
    Api.describe(name).statusCode(200);
  }

  @Test
  void anInterruptedRenameLeavesTheFilterUnderOneName() {
    var from = Api.newFilter();
    var to = from + ".to";
    // A rename enters the new name first.
    var entry = redis.run("HGET", "bloom:{=names}:usage", from).toString();
    redis.run("ZADD", "bloom:{=names}", "0", to);
    redis.run("HSET", "bloom:{=names}:usage", to, entry);
    Api.list("prefix=" + from).body("filters.name", equalTo(List.of(from)));
    Api.post(from, "rename", Map.of("to", to)).statusCode(200);
    // A rename removes the old name last.
    redis.run("ZADD", "bloom:{=names}", "0", from);
    redis.run("HSET", "bloom:{=names}:usage", from, entry);
    Api.list("prefix=" + from).body("filters.name", equalTo(List.of(to)));
  }

  @Test
  void anExpiredRebuildDoesNotPreventAClear() {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    redis.run("HSET", stateKey(name), "next", "0123456789abcdef", "version", "0123456789abcdef");
    Api.describe(name).statusCode(200).body("rebuild", nullValue());
    Api.post(name, "clear", "").statusCode(200);
    assertEquals("", redis.run("HGET", stateKey(name), "next").toString());
  }
}
