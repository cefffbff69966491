package io.github.bloomgate.http;

import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Deleting and clearing filters, of one segment and of the maximum of 4,096. */
@QuarkusTest
class FilterRemovalTest extends FilterAndKeys {

  private static final int SEGMENTS = 4_096;

  private static final String WRITE_ALL =
      """
      local header = 'BLOOMSG\\1' .. string.rep('\\0', 48)
      for i = 0, 4095 do
        redis.call('SET', ARGV[1] .. i, header)
      end
      redis.call('HSET', KEYS[1], 'written', string.rep('\\255', 512))
      """;

  @Test
  void aDeletedFilterIsGoneWithAllItsKeys() {
    for (var name : List.of(Api.newFilter(), Api.newFilterOfTwoSegments())) {
      Api.add(name, "a", "b", "c", "d", "e", "f", "g").statusCode(200);
      var keys = keysOf(name);
      assertTrue(keys.size() >= 2, "keys " + keys);
      Api.delete(name).statusCode(204).body(emptyString());
      Api.describe(name).statusCode(404).body("code", equalTo("FILTER_NOT_FOUND"));
      Api.delete(name).statusCode(404);
      Api.add(name, "a").statusCode(404);
      assertEquals(List.of(), keysOf(name));
      keys.forEach(this::assertFreed);
    }
  }

  @Test
  void itsRebuildAndSourceAreDeletedToo() {
    var name = Api.newFilter();
    Api.json("{\"redisKey\": \"%s\"}".formatted(name + ".list"))
        .put(Api.FILTERS + name + "/source")
        .then()
        .statusCode(200);
    Api.post(name, "rebuild", "{}").statusCode(201);
    Api.post(name, "rebuild/add", "{\"elements\": [\"a\"]}").statusCode(200);
    var keys = redis.run("KEYS", stateKey(name) + "*");
    assertEquals(4, keys.size(), "state, rebuild, its segment and source: " + keys);
    Api.delete(name).statusCode(204);
    keys.forEach(key -> assertFreed(key.toString()));
  }

  /** Segments expire within a minute, because Redis cannot free many at once. */
  private void assertFreed(String key) {
    if (redis.run("EXISTS", key).toInteger() != 0) {
      var left = redis.run("PTTL", key).toLong();
      assertTrue(left > 0 && left <= 60_000, key + " lives for " + left + " ms");
    }
  }

  @Test
  void aDamagedFilterCanBeDeletedAndCreatedAgain() {
    var name = Api.newFilter();
    Api.add(name, "a").statusCode(200);
    redis.run("HDEL", stateKey(name), "definition", "generation");
    Api.describe(name).statusCode(410);
    Api.delete(name).statusCode(204);
    Api.put(name, "{\"expectedInsertions\": 5}").statusCode(201);
  }

  @Test
  void aClearedFilterIsEmptyInItsNextGenerationAndKeepsItsExpiry() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 5000}");
    Api.add(name, "a", "b", "c").statusCode(200);
    var expiresAt = Api.fields(name).getString("expiresAt");
    Api.post(name, "clear", "")
        .statusCode(200)
        .body("generation", equalTo(2))
        .body("insertions", equalTo(0))
        .body("bitsSet", equalTo(0))
        .body("fillRatio", equalTo(0.0f))
        .body("expiresAt", equalTo(expiresAt));
    assertDeadline(Instant.parse(expiresAt), keysOf(name));
    Api.test(name, "a", "b", "c").body("mightContainCount", equalTo(0));
    Api.add(name, "a").body("added", equalTo(List.of(true)));
  }

  @Test
  void aFilterOfManySegmentsIsDescribedExpiredRenamedClearedAndDeleted() {
    var name = Api.newName();
    Api.put(name, Map.of("bitSize", 1L << 36, "numHashFunctions", 3)).statusCode(201);
    var key = Api.fields(name).getString("redisKey");
    var content = key.substring(0, key.length() - 1);
    redis.run("EVAL", WRITE_ALL, "1", stateKey(name), content);
    Api.describe(name)
        .statusCode(200)
        .body("segments", equalTo(SEGMENTS))
        .body("insertions", equalTo(0));

    Api.expiry(name, "{\"ttlSeconds\": 5000}").statusCode(200);
    var expiresAt = Instant.parse(Api.fields(name).getString("expiresAt"));
    assertEquals(SEGMENTS + 1, keysOf(name).size());
    assertDeadline(expiresAt, keysOf(name));
    Api.delete(name + "/expiry").statusCode(200);

    var renamed = Api.newName();
    Api.post(name, "rename", Map.of("to", renamed)).statusCode(200);
    Api.post(renamed, "clear", "").statusCode(200);
    assertEquals(1, keysOf(renamed).size());
    for (var segment = 0; segment < SEGMENTS; segment++) {
      var left = redis.run("PTTL", content + segment).toLong();
      assertTrue((left > 0 && left <= 60_000) || left == -2, "segment " + segment + ": " + left);
    }
    Api.delete(renamed).statusCode(204);
  }
}
