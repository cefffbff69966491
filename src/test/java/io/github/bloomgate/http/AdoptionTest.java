package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bitmaps of other libraries in Redis, adopted in place. */
@QuarkusTest
class AdoptionTest extends AdoptedBitmap {

  private final String config = "{" + key + "}:config";

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
    redis.run("DEL", key);
    expectProblem(410, "FILTER_DAMAGED");
    Api.describe(name).statusCode(410);
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
                    "hashScheme",
                    scheme,
                    "bitSize",
                    bits,
                    "numHashFunctions",
                    14,
                    "redisKey",
                    asked)))
        .body("detail", containsString(why));
    assertEquals(0, redis.run("EXISTS", asked, own("state")).toInteger());
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "guava-mitz-32",
        "guava-mitz-64",
        "guava-redis-helper",
        "guava-redis-helper-once",
        "bits-and-blooms",
        "redisson",
        "go-zero",
        "scrapy-redis-bloomfilter"
      })
  void extremesAreAnsweredOrRefused(String scheme) {
    for (var size : List.of(1L, 2L, 64L, 1L << 31, 1L << 32)) {
      extreme(scheme, Map.of("bitSize", size, "numHashFunctions", 14));
    }
    for (var size : List.of(1L, (1L << 32) - 2)) {
      extreme(scheme, Map.of("bitSize", size, "numHashFunctions", 255));
    }
    extreme(scheme, Map.of("bitSize", (1L << 32) + 1, "numHashFunctions", 1));
    for (var n : List.of(1L, 2L, 100_000_000L, 100_000_000_000L)) {
      for (var p : List.of(0.99, 0.5, 1e-12)) {
        extreme(scheme, Map.of("expectedInsertions", n, "falsePositiveProbability", p));
      }
    }
  }

  private void extreme(String scheme, Map<String, ?> shape) {
    var body = new HashMap<String, Object>(shape);
    body.put("hashScheme", scheme);
    body.put("redisKey", key);
    var status = put(body).statusCode(oneOf(201, 400, 422)).extract().statusCode();
    if (status == 201) {
      Api.test(name, "a").statusCode(200).body("mightContain[0]", is(false));
      Api.describe(name).statusCode(200);
      delete("?deleteKey=true").statusCode(204);
    }
    assertEquals(0, redis.run("EXISTS", key, config, own("state")).toInteger());
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
}
