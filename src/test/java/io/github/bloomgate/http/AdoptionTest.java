package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bitmaps of other libraries in Redis, adopted in place, and the life of their filters. */
@QuarkusTest
class AdoptionTest {

  @Inject RawRedis redis;

  private final String name = Api.newName();
  private final String key = "lib:" + Api.newName();

  private ValidatableResponse adopt(int bits) {
    return put(Map.of("hashScheme", "go-zero", "bitSize", bits, "redisKey", key));
  }

  private ValidatableResponse put(Map<String, ?> body) {
    return Api.put(name, body);
  }

  private void expectProblem(int status, String code) {
    Api.refused(status, code, Api.test(name, "a"));
    Api.refused(status, code, Api.add(name, "a"));
    Api.refused(status, code, Api.describe(name));
    Api.refused(status, code, Api.post(name, "clear", ""));
  }

  private String own(String kind) {
    return "bloom:{" + name + "}" + (kind.equals("state") ? "" : ":" + kind);
  }

  @Test
  void anExistingKeyKeepsItsBits() {
    redis.run("SETBIT", key, 3, 1);
    adopt(64)
        .statusCode(201)
        .body("adopted", is(true))
        .body("redisKey", equalTo(key))
        .body("bitsSet", is(1))
        .body("insertions", is(0))
        .body("numHashFunctions", is(14));
    Api.add(name, "a").statusCode(200);
    redis.run("SETBIT", key, 3, 0);
    redis.run("SETBIT", key, 5, 1);
    var bits = redis.run("BITCOUNT", key).toInteger();
    Api.describe(name).body("bitsSet", is(bits)).body("insertions", is(1));
    assertEquals(0, redis.run("EXISTS", own("bits")).toInteger());
  }

  @Test
  void aMissingKeyIsCreated() {
    adopt(64).statusCode(201).body("bitsSet", is(0));
    assertEquals(1, redis.run("STRLEN", key).toInteger());
    Api.test(name, "a").body("mightContain[0]", is(false));
  }

  @Test
  void adoptingTwiceFindsItAndAnotherKeyDiffers() {
    adopt(64).statusCode(201);
    adopt(64).statusCode(200);
    adopt(128).statusCode(409).body("code", equalTo("FILTER_EXISTS"));
    put(Map.of("hashScheme", "go-zero", "bitSize", 64))
        .statusCode(409)
        .body("differences[0].field", equalTo("redisKey"))
        .body("differences[0].existing", equalTo(key))
        .body("differences[0].requested", nullValue());
    put(Map.of("hashScheme", "go-zero", "bitSize", 64, "redisKey", key + "2")).statusCode(409);
    assertEquals(0, redis.run("EXISTS", key + "2").toInteger());
  }

  @ParameterizedTest
  @CsvSource({
    "go-zero, 64, bloom:mine, service's own",
    "bloomgate-1, 64, any, hashScheme bloomgate-1",
    "redisbloom, 64, any, hashScheme redisbloom",
    "scrapy-redis-bloomfilter, 100, any, power of two",
    "rueidisprob, 64, any, its name in braces"
  })
  void invalidAdoptionsAreRefused(String scheme, int bits, String asked, String why) {
    Api.refused(
            400,
            "INVALID_REQUEST",
            put(
                Map.of(
                    "hashScheme", scheme,
                    "bitSize", bits,
                    "numHashFunctions", 14,
                    "redisKey", asked)))
        .body("detail", containsString(why));
    assertEquals(0, redis.run("EXISTS", asked, own("state")).toInteger());
  }

  @Test
  void rejectingIsRefused() {
    put(Map.of("hashScheme", "go-zero", "bitSize", 64, "redisKey", key, "whenFull", "reject"))
        .statusCode(400)
        .body("detail", containsString("whenFull"));
    assertEquals(0, redis.run("EXISTS", key).toInteger());
  }

  @Test
  void anAmbiguousShapeMustBeGiven() {
    var n = Map.of("hashScheme", "guava-mitz-64", "expectedInsertions", 1, "redisKey", key);
    put(n).statusCode(400).body("detail", containsString("numHashFunctions is"));
  }

  @Test
  void aKeyOfAnotherTypeOrTooLongIsRefusedAndLeftAlone() {
    redis.run("LPUSH", key, "x");
    adopt(64).statusCode(409).body("code", equalTo("WRONG_KEY_TYPE"));
    assertEquals(1, redis.run("LLEN", key).toInteger());
    redis.run("DEL", key);
    redis.run("SET", key, "123456789");
    Api.refused(409, "KEY_MISMATCH", adopt(64)).body("detail", containsString(key));
    assertEquals("123456789", redis.run("GET", key).toString());
    assertEquals(0, redis.run("EXISTS", own("state")).toInteger());
    Api.describe(name).statusCode(404);
  }

  @Test
  void changesOfAnAdoptedKeyAreNeverAnsweredWithNo() {
    adopt(64).statusCode(201);
    Api.add(name, "a").statusCode(200);
    redis.run("SETBIT", key, 64, 1);
    expectProblem(409, "KEY_MISMATCH");
    redis.run("DEL", key);
    redis.run("LPUSH", key, "x");
    expectProblem(409, "WRONG_KEY_TYPE");
    assertEquals(1, redis.run("LLEN", key).toInteger());
    redis.run("DEL", key);
    expectProblem(410, "FILTER_DAMAGED");
    Api.delete(name).statusCode(204);
    Api.describe(name).statusCode(404);
  }

  @Test
  void aBitmapThatAnotherProgramReplacedIsNotDeleted() {
    adopt(64).statusCode(201);
    redis.run("SETBIT", key, 64, 1);
    Api.refused(409, "KEY_MISMATCH", Api.delete(name + "?deleteKey=true"));
    assertEquals(1, redis.run("EXISTS", own("state")).toInteger());
    Api.delete(name).statusCode(204);
    assertEquals(1, redis.run("EXISTS", key).toInteger());
  }

  @Test
  void aRenameThatReplacesAnAdoptedFilterReleasesItsKey() {
    adopt(64).statusCode(201);
    Api.add(name, "a").statusCode(200);
    var bits = redis.run("BITCOUNT", key).toInteger();
    var other = Api.newFilter();
    Api.post(other, "rename", Map.of("to", name)).statusCode(409);
    Api.post(other, "rename", Map.of("to", name, "replace", true))
        .statusCode(200)
        .body("adopted", is(false));
    assertEquals(bits, redis.run("BITCOUNT", key).toInteger());
    Api.test(name, "a").body("mightContain[0]", is(false));
  }

  /** The last byte may have bits that the filter does not use. A file does not contain them. */
  @Test
  void unusedBitsAreNotExported() {
    adopt(60).statusCode(201);
    redis.run("SETBIT", key, 5, 1);
    redis.run("SETBIT", key, 61, 1);
    Api.load(Api.newName(), "", Api.exported(name, "")).statusCode(201).body("bitsSet", is(1));
  }

  @Test
  void copiesAndMergesIncludeElementsOfOtherClients() {
    redis.run("SETBIT", key, 40, 1);
    adopt(64).statusCode(201);
    Api.add(name, "a").statusCode(200);
    var bits = redis.run("BITCOUNT", key).toInteger();
    var copy = Api.newName();
    Api.post(name, "copy", Map.of("to", copy))
        .statusCode(201)
        .body("adopted", is(false))
        .body("bitsSet", is(bits));
    Api.add(copy, "b").statusCode(200);
    Api.post(name, "merge", Map.of("from", List.of(copy))).statusCode(200);
    Api.test(name, "a", "b").body("mightContainCount", is(2));
    assertTrue(redis.run("BITCOUNT", key).toInteger() > bits);
  }
}
