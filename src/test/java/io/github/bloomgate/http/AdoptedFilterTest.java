package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Adopted filters in all of their life: deleted, dated, cleared, renamed, rebuilt, copied. */
@QuarkusTest
class AdoptedFilterTest extends AdoptedBitmap {

  @Test
  void changesOfAnAdoptedKeyAreErrorsAndNeverNo() {
    adopt(64).statusCode(201);
    Api.add(name, "a").statusCode(200);
    redis.run("SETBIT", key, 64, 1);
    expectProblem(409, "KEY_MISMATCH");
    redis.run("DEL", key);
    redis.run("LPUSH", key, "x");
    expectProblem(409, "WRONG_KEY_TYPE");
    redis.run("DEL", key);
    expectProblem(410, "FILTER_DAMAGED");
    delete("").statusCode(204);
    Api.describe(name).then().statusCode(404);
  }

  @Test
  void deletingLetsGoUnlessTheKeyIsToGoToo() {
    adopt(64).statusCode(201);
    Api.add(name, "a").statusCode(200);
    delete("").statusCode(204);
    assertEquals(1, redis.run("EXISTS", key).toInteger());
    adopt(64).statusCode(201);
    Api.test(name, "a").body("mightContain[0]", is(true));
    delete("?deleteKey=maybe").statusCode(400);
    delete("?deleteKey=true").statusCode(204);
    assertEquals(0, redis.run("EXISTS", key, own("state")).toInteger());
  }

  @Test
  void aBitmapThatIsAnotherByNowIsNotDeleted() {
    adopt(64).statusCode(201);
    redis.run("SETBIT", key, 64, 1);
    delete("?deleteKey=true").statusCode(409).body("code", equalTo("KEY_MISMATCH"));
    assertEquals(1, redis.run("EXISTS", own("state")).toInteger());
    delete("").statusCode(204);
    assertEquals(1, redis.run("EXISTS", key).toInteger());
  }

  @Test
  void theDeadlineOfTheKeyIsTheFilters() {
    redis.run("SETBIT", key, 3, 1);
    redis.run("EXPIRE", key, 1000);
    adopt(64).statusCode(201).body("expiresAt", notNullValue());
    var stored = redis.run("HGET", own("state"), "expiresAt").toLong();
    assertTrue(Math.abs(vanishesAt(key) - stored) < 60_000);
    assertTrue(Math.abs(vanishesAt(own("state")) - stored) < 60_000);
    Api.json(Map.of("ttlSeconds", 5000)).put(Api.FILTERS + name + "/expiry").then().statusCode(200);
    assertTrue(redis.run("TTL", key).toInteger() > 4000);
    RestAssured.delete(Api.FILTERS + name + "/expiry").then().statusCode(200);
    assertEquals(-1, redis.run("TTL", key).toInteger());
    assertEquals(-1, redis.run("TTL", own("state")).toInteger());
  }

  @Test
  void clearingEmptiesTheKeyAndKeepsItsDeadline() {
    redis.run("SETBIT", key, 40, 1);
    redis.run("EXPIRE", key, 1000);
    adopt(64).statusCode(201);
    Api.post(name, "clear", "").then().statusCode(200).body("bitsSet", is(0));
    assertEquals(0, redis.run("BITCOUNT", key).toInteger());
    assertTrue(redis.run("TTL", key).toInteger() > 900);
    Api.add(name, "a").body("added[0]", is(true));
  }

  @Test
  void renamingLeavesTheKeyWhereItIs() {
    adopt(64).statusCode(201);
    Api.add(name, "a").statusCode(200);
    var to = Api.newName();
    Api.post(name, "rename", Map.of("to", to))
        .then()
        .statusCode(200)
        .body("redisKey", equalTo(key));
    Api.test(to, "a").body("mightContain[0]", is(true));
    Api.describe(name).then().statusCode(404);
    RestAssured.delete(Api.FILTERS + to).then().statusCode(204);
    assertEquals(1, redis.run("EXISTS", key).toInteger());
  }

  @Test
  void aRenameThatReplacesAnAdoptedFilterLetsGoOfItsKey() {
    adopt(64).statusCode(201);
    Api.add(name, "a").statusCode(200);
    var bits = redis.run("BITCOUNT", key).toInteger();
    var other = Api.newFilter();
    Api.post(other, "rename", Map.of("to", name)).then().statusCode(409);
    Api.post(other, "rename", Map.of("to", name, "replace", true))
        .then()
        .statusCode(200)
        .body("adopted", is(false));
    assertEquals(bits, redis.run("BITCOUNT", key).toInteger());
    Api.test(name, "a").body("mightContain[0]", is(false));
  }

  @Test
  void aRebuildGoesUnderTheKeyInOneStep() {
    adopt(64).statusCode(201);
    Api.add(name, "old").statusCode(200);
    Api.post(name, "rebuild", "{}").then().statusCode(201);
    Api.post(name, "rebuild/add", Map.of("elements", List.of("new"))).then().statusCode(200);
    Api.add(name, "concurrent").statusCode(200);
    Api.post(name, "rebuild/commit", "{}").then().statusCode(200).body("redisKey", equalTo(key));
    Api.test(name, "new", "concurrent").body("mightContainCount", is(2));
    assertEquals(8, redis.run("STRLEN", key).toInteger());
    assertEquals(0, redis.run("EXISTS", own("bits"), own("bits:next")).toInteger());
    Api.describe(name)
        .then()
        .body("bitsSet", is(redis.run("BITCOUNT", key).toInteger()))
        .body("generation", is(2));
    Api.add(name, "more").statusCode(200);
    delete("?deleteKey=true").statusCode(204);
    assertEquals(0, redis.run("EXISTS", key).toInteger());
  }

  /** A byte has room for bits that the filter does not use; a file has none for them. */
  @Test
  void bitsBehindTheLastAreNotExported() {
    adopt(60).statusCode(201);
    redis.run("SETBIT", key, 5, 1);
    redis.run("SETBIT", key, 61, 1);
    var file = RestAssured.get(Api.FILTERS + name + "/export").asByteArray();
    var to = Api.newName();
    given()
        .contentType("application/octet-stream")
        .body(file)
        .put(Api.FILTERS + to + "/import")
        .then()
        .statusCode(201)
        .body("bitsSet", is(1));
  }

  @Test
  void aRebuildKeepsTheShapeAndRepairsALostKey() {
    adopt(64).statusCode(201);
    Api.post(name, "rebuild", Map.of("bitSize", 128, "numHashFunctions", 14))
        .then()
        .statusCode(400)
        .body("detail", containsString("bitSize"));
    Api.post(name, "rebuild", Map.of("whenFull", "reject")).then().statusCode(400);
    redis.run("DEL", key);
    Api.post(name, "rebuild", "{}").then().statusCode(201);
    Api.post(name, "rebuild/add", Map.of("elements", List.of("a"))).then().statusCode(200);
    Api.post(name, "rebuild/commit", "{}").then().statusCode(200);
    Api.test(name, "a").body("mightContain[0]", is(true));
  }

  @Test
  void copiesAndMergesIncludeElementsOfOtherClients() {
    redis.run("SETBIT", key, 40, 1);
    adopt(64).statusCode(201);
    Api.add(name, "a").statusCode(200);
    var bits = redis.run("BITCOUNT", key).toInteger();
    var copy = Api.newName();
    Api.post(name, "copy", Map.of("to", copy))
        .then()
        .statusCode(201)
        .body("adopted", is(false))
        .body("bitsSet", is(bits));
    Api.add(copy, "b").statusCode(200);
    Api.post(name, "merge", Map.of("from", List.of(copy))).then().statusCode(200);
    Api.test(name, "a", "b").body("mightContainCount", is(2));
    assertTrue(redis.run("BITCOUNT", key).toInteger() > bits);
  }

  private long vanishesAt(String of) {
    return Instant.now().toEpochMilli() + redis.run("PTTL", of).toLong();
  }
}
