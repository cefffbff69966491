package io.github.bloomgate.libraries;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.in;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Filters shared with Redisson that are cleared, rebuilt or deleted, or that Redisson creates
 * again.
 */
@QuarkusTest
@Tag("slow")
class RedissonChangesTest extends RedissonFilters {

  @Test
  void keysRecreatedWithAnotherShapeAreNeverAnsweredWithNo() {
    ours.created(sized(STRING));
    ours.add("a");
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.delete();
    assertTrue(theirs.tryInit(5 * N, 0.1));
    var elements = Elements.ofTexts(List.of("a", "b"));
    // First without bits, then with some.
    for (var code : List.of("FILTER_DAMAGED", "KEY_MISMATCH")) {
      for (var call :
          List.of(
              Api.post(ours.name(), "test", elements),
              Api.post(ours.name(), "add", elements),
              Api.describe(ours.name()))) {
        call.statusCode(in(List.of(409, 410))).body("code", in(List.of("KEY_MISMATCH", code)));
      }
      theirs.add("b");
    }
    assertEquals(1, theirs.count());
  }

  @Test
  void anOpenClientSeesThatTheFilterWasCleared() {
    ours.created(sized(STRING));
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.add("a");
    assertTrue(theirs.expire(Duration.ofHours(1)));
    var config = ours.config();
    assertTrue(theirs.contains("a"));
    given().post(Api.FILTERS + ours.name() + "/clear").then().statusCode(200);
    assertFalse(theirs.contains("a"));
    assertEquals(0, theirs.count());
    assertEquals(config, ours.config());
    assertTrue(theirs.remainTimeToLive() > 3_000_000);
    assertEquals(List.of(false), ours.test("a"));
    assertTrue(theirs.add("b"));
    assertEquals(List.of(true), ours.test("b"));
  }

  @Test
  void anOpenClientSeesARebuildImmediately() {
    ours.created(sized(STRING));
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.add(List.of("old", "kept"));
    var config = ours.config();
    Api.post(ours.name(), "rebuild", "{}").statusCode(201);
    Api.post(ours.name(), "rebuild/add", Elements.ofTexts(List.of("kept", "new"))).statusCode(200);
    assertEquals(2, theirs.contains(List.of("old", "kept", "new")));
    assertFalse(theirs.contains("new"));
    Api.post(ours.name(), "rebuild/commit", "{}").statusCode(200);
    assertFalse(theirs.contains("old"));
    assertEquals(2, theirs.contains(List.of("kept", "new")));
    assertEquals(config, ours.config());
    assertEquals(List.of(false, true, true), ours.test("old", "kept", "new"));
    assertTrue(theirs.add("later"));
    assertEquals(List.of(true), ours.test("later"));
  }

  /** A rebuild repairs lost keys, and clients of Redisson can continue. */
  @Test
  void aRebuildRestoresKeysDeletedByRedisson() {
    ours.created(sized(STRING));
    var config = ours.config();
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.add("old");
    assertTrue(theirs.delete());
    replaceContent("new");
    assertEquals(config, ours.config());
    assertEquals(List.of(false, true), ours.test("old", "new"));
    assertFalse(theirs.contains("old"));
    assertTrue(theirs.contains("new"));
    assertTrue(theirs.add("later"));
    assertSameParameters(theirs, redisson.filter(ours.key(), STRING));
  }

  /** The library's clients cache the shape, so it must not change. */
  @Test
  void aRebuildMustNotChangeTheShape() {
    ours.created(sized(STRING));
    ours.add("a");
    for (var change :
        List.<Map<String, Object>>of(
            Map.of("expectedInsertions", 2 * N),
            Map.of("hashScheme", "bloomgate-1"),
            Map.of("elementCodec", "kryo5"),
            Map.of("bitSize", 729, "numHashFunctions", 5))) {
      int status = Api.post(ours.name(), "rebuild", change).extract().statusCode();
      assertTrue(status >= 400 && status < 500, status + " for " + change);
      assertTrue(ours.describe().path("rebuild").isNull());
    }
    assertEquals(List.of(true), ours.test("a"));
  }

  @Test
  void deletingReleasesTheKey() {
    ours.created(sized(STRING));
    ours.add("a");
    var theirs = redisson.filter(ours.key(), STRING);
    var config = ours.config();
    var bits = ours.bits();
    ours.delete(false);
    Api.describe(ours.name()).statusCode(404);
    assertTrue(theirs.contains("a"));
    assertEquals(config, ours.config());
    assertArrayEquals(bits, ours.bits());

    ours.created(parameters(STRING));
    assertEquals(List.of(true), ours.test("a"));
  }

  private void replaceContent(String line) {
    Api.lines("text/plain", line + "\n")
        .put(Api.FILTERS + ours.name() + "/elements")
        .then()
        .statusCode(200);
  }
}
