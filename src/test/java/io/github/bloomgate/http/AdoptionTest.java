package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bitmaps of other libraries in Redis, adopted in place. */
@QuarkusTest
class AdoptionTest extends AdoptedBitmap {

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
