package io.github.bloomgate.http;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The life of adopted filters: they expire, and are cleared, renamed, rebuilt, copied and deleted.
 */
@QuarkusTest
class AdoptedFilterTest extends AdoptedBitmap {

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
    delete("").statusCode(204);
    Api.describe(name).statusCode(404);
  }

  @Test
  void aBitmapThatAnotherProgramReplacedIsNotDeleted() {
    adopt(64).statusCode(201);
    redis.run("SETBIT", key, 64, 1);
    delete("?deleteKey=true").statusCode(409).body("code", equalTo("KEY_MISMATCH"));
    assertEquals(1, redis.run("EXISTS", own("state")).toInteger());
    delete("").statusCode(204);
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
