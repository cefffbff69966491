package io.github.bloomgate.libraries;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Filters shared with Redisson that expire, are cleared, rebuilt or deleted. */
@QuarkusTest
@Tag("slow")
class RedissonChangesTest extends RedissonFilters {

  @Test
  void anAdoptedKeysExpiryAppliesToTheFilter() {
    var theirs = madeByRedisson(STRING);
    theirs.add("a");
    theirs.expire(Duration.ofHours(1));
    var description = ours.created(parameters(STRING));
    var deadline = Instant.parse(description.path("expiresAt").asText());
    assertTrue(Duration.between(Instant.now(), deadline).toMinutes() >= 50, deadline::toString);
    assertTrue(theirs.remainTimeToLive() > 3_000_000);
    assertTrue(
        redis.run("PTTL", "bloom:{" + ours.name() + "}").toLong() > 3_000_000,
        "the filter outlives its bits");
  }

  @Test
  void keysExpiredByRedissonAreNeverAnsweredWithNo() {
    ours.created(sized(STRING));
    ours.add("a");
    assertTrue(redisson.filter(ours.key(), STRING).expire(Duration.ofMillis(50)));
    await().until(() -> !ours.keyExists() && !ours.configExists());
    assertNoAnswer(410, "FILTER_DAMAGED");
    assertFalse(ours.keyExists() || ours.configExists());
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

  @Test
  void aNewNameIsNotANewKey() {
    ours.created(sized(STRING));
    ours.add("a");
    var to = Api.newName();
    Api.post(ours.name(), "rename", Map.of("to", to)).statusCode(200);
    assertTrue(redisson.filter(ours.key(), STRING).contains("a"));
    Api.test(to, "a").statusCode(200).body("mightContain", equalTo(List.of(true)));
    Api.describe(to).body("redisKey", equalTo(ours.key()));
  }

  private void replaceContent(String line) {
    Api.lines("text/plain", line + "\n")
        .put(Api.FILTERS + ours.name() + "/elements")
        .then()
        .statusCode(200);
  }
}
