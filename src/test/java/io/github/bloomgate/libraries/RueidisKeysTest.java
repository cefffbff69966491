package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The two keys of a rueidisprob filter, bitmap and counter: cleared, expired, renamed, rebuilt,
 * lost.
 */
@QuarkusTest
class RueidisKeysTest extends RueidisFilter {

  /** The library sets the bitmap to an empty string, which is valid if the counter is 0. */
  @Test
  void aResetOfTheLibraryEmptiesTheFilter() {
    ours.created(SHAPE);
    ours.add("a", "b");
    theirs.reset();
    assertEquals(List.of(false, false), ours.test("a", "b"));
    assertEquals(0, ours.describe().path("insertions").asLong());
    assertEquals(List.of(true), ours.add("a"));
    assertEquals(1, theirs.count());
    theirs.reset();
    ours.delete(false);
    ours.created(SHAPE);
    assertEquals(List.of(false), ours.test("a"));
    ours.delete(true);
  }

  @Test
  void anExpiryAppliesToBothKeys() {
    ours.created(SHAPE);
    expiry();
    assertDated(true);
    Api.raw().delete(Api.FILTERS + ours.name() + "/expiry").then().statusCode(200);
    assertDated(false);
    ours.delete(false);
    // An expiry set by the library on one key applies to both.
    redis.run("EXPIRE", theirs.counterKey(), 3600);
    ours.created(SHAPE);
    assertDated(true);
    ours.delete(true);
  }

  @Test
  void aRenamedFilterKeepsCounting() {
    ours.created(SHAPE);
    ours.add("a");
    var to = Api.newName();
    Api.post(ours.name(), "rename", Map.of("to", to)).statusCode(200);
    Api.add(to, "b").statusCode(200);
    assertEquals(2, theirs.count());
    assertTrue(theirs.exists("b"));
    Api.raw().delete(Api.FILTERS + to + "?deleteKey=true").then().statusCode(204);
    assertFalse(ours.keyExists() || exists(theirs.counterKey()));
  }

  /** The counter has the value that the library would have computed. */
  @Test
  void aRebuildCountsItsOwnElements() {
    ours.created(SHAPE);
    theirs.add("old");
    theirs.add("older");
    expiry();
    Api.post(ours.name(), "rebuild", "{}").statusCode(201);
    var load = Elements.ofTexts(List.of("x", "y", "z", "x"));
    Api.post(ours.name(), "rebuild/add", load).statusCode(200);
    assertEquals(2, theirs.count());
    ours.add("concurrent");
    assertEquals(3, theirs.count());
    Api.post(ours.name(), "rebuild/commit", "{}").statusCode(200);
    assertEquals(4, theirs.count());
    assertEquals(4, ours.describe().path("insertions").asLong());
    assertTrue(theirs.exists("x") && theirs.exists("concurrent") && !theirs.exists("old"));
    assertDated(true);
    ours.add("later");
    assertEquals(5, theirs.count());
    ours.delete(true);
  }

  @Test
  void aRebuildRestoresKeysDeletedByTheLibrary() {
    ours.created(SHAPE);
    ours.add("old");
    theirs.delete();
    Api.refused(410, "FILTER_DAMAGED", Api.describe(ours.name()));
    Api.post(ours.name(), "rebuild", "{}").statusCode(201);
    Api.post(ours.name(), "rebuild/add", Elements.ofTexts(List.of("new"))).statusCode(200);
    Api.post(ours.name(), "rebuild/commit", "{}").statusCode(200);
    assertEquals(List.of(false, true), ours.test("old", "new"));
    assertEquals(1, theirs.count());
    ours.delete(true);
  }

  /** Unknown is never "no": the state of the pair is reported, and nothing is changed. */
  @ParameterizedTest
  @CsvSource({
    "DEL bitmap, 410, FILTER_DAMAGED",
    "DEL counter, 410, FILTER_DAMAGED",
    "SET bitmap '', 410, FILTER_DAMAGED",
    "SET counter many, 409, KEY_MISMATCH",
    "SET counter 007, 409, KEY_MISMATCH",
    "SET counter -1, 409, KEY_MISMATCH",
    "SET counter 9223372036854775807, 409, KEY_MISMATCH",
    "RPUSH counter x, 409, WRONG_KEY_TYPE",
    "RPUSH bitmap x, 409, WRONG_KEY_TYPE"
  })
  void changesOfAKeyAreReported(String command, int status, String code) {
    ours.created(SHAPE);
    ours.add("a");
    harm(command);
    var bits = redis.run("TYPE", ours.key()).toString();
    var elements = Elements.ofTexts(List.of("a", "b"));
    Api.refused(status, code, Api.post(ours.name(), "test", elements));
    Api.refused(status, code, Api.post(ours.name(), "add", elements));
    Api.refused(status, code, Api.describe(ours.name()));
    Api.refused(status, code, clear());
    assertEquals(bits, redis.run("TYPE", ours.key()).toString());
    ours.delete(false);
    if (code.equals("FILTER_DAMAGED")) {
      // The bits or the count of some elements are lost.
      Api.refused(409, "KEY_MISMATCH", ours.put(SHAPE));
    } else {
      Api.refused(status, code, ours.put(SHAPE));
    }
    Api.describe(ours.name()).statusCode(404);
    theirs.delete();
  }

  private void harm(String command) {
    var words = command.split(" ");
    var key = words[1].equals("bitmap") ? ours.key() : theirs.counterKey();
    switch (words[0]) {
      case "DEL" -> redis.run("DEL", key);
      case "SET" -> redis.run("SET", key, words[2].equals("''") ? "" : words[2]);
      default -> {
        redis.run("DEL", key);
        redis.run("RPUSH", key, "x");
      }
    }
  }

  private void expiry() {
    Api.raw()
        .contentType("application/json")
        .body(Map.of("ttlSeconds", 3600))
        .put(Api.FILTERS + ours.name() + "/expiry")
        .then()
        .statusCode(200);
  }

  private void assertDated(boolean isDated) {
    for (var key : List.of(ours.key(), theirs.counterKey(), "bloom:{" + ours.name() + "}")) {
      assertEquals(isDated, redis.run("PTTL", key).toLong() > 3_000_000, key);
    }
  }
}
