package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Creating, describing, probing, expiring, clearing and deleting filters, also of the maximum of
 * 4,096 segments.
 */
@QuarkusTest
class FilterResourceTest extends FilterAndKeys {

  private static final int SEGMENTS = 4_096;

  private static final String WRITE_ALL =
      """
      local header = 'BLOOMSG\\1' .. string.rep('\\0', 48)
      for i = 0, 4095 do
        redis.call('SET', ARGV[1] .. i, header)
      end
      redis.call('HSET', KEYS[1], 'written', string.rep('\\255', 512))
      """;

  @ParameterizedTest
  @ValueSource(strings = {"1000", "1000.0", "1e3", "1.0E+3", "10000e-1"})
  void anIntegerMayBeWrittenInEveryWayOfJson(String thousand) {
    Api.describe(Api.newFilter("{\"expectedInsertions\": %s}".formatted(thousand)))
        .body("expectedInsertions", equalTo(1000));
    var query = "falsePositiveProbability=0.01&expectedInsertions=" + thousand.replace("+", "%2B");
    Api.raw()
        .get("/v1/sizing?" + query)
        .then()
        .statusCode(200)
        .body("expectedInsertions", equalTo(1000));
  }

  @Test
  void everyFieldOfANewFilterIsDescribed() {
    var before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var name = Api.newFilter();
    var description = (ObjectNode) Api.tree(Api.description(name));
    var createdAt = Instant.parse(description.remove("createdAt").asText());
    assertFalse(createdAt.isBefore(before), "createdAt " + createdAt);
    assertFalse(createdAt.isAfter(Instant.now()), "createdAt " + createdAt);
    var incarnation = redis.run("HGET", stateKey(name), "incarnation");
    var expected =
        """
        {
          "name": "%s", "state": "ready", "generation": 1, "expiresAt": null, "adopted": false,
          "template": false, "idleSeconds": null, "extendedByTests": false,
          "hashScheme": "bloomgate-1", "elementCodec": null, "hashSecretId": null,
          "schemeWarning": null, "expectedInsertions": 1000, "falsePositiveProbability": 0.01,
          "bitSize": 9600, "numHashFunctions": 7, "segments": 1, "sizeBytes": 1200,
          "whenFull": "accept", "insertions": 0, "bitsSet": 0, "fillRatio": 0.0,
          "approximateElementCount": 0, "estimatedFalsePositiveProbability": 0.0,
          "redisKey": "bloom:{%<s}:%s:0", "rebuild": null, "source": null, "copies": null
        }
        """;
    assertEquals(Api.tree(expected.formatted(name, incarnation)), description);
  }

  @Test
  void aCreatedFilterIsDescribedAsItIsStored() {
    var name = Api.newName();
    var created =
        Api.put(name, "{\"expectedInsertions\": 1000}")
            .statusCode(201)
            .header("Location", endsWith("/v1/filters/" + name))
            .extract()
            .jsonPath()
            .getMap("$");
    assertEquals(Api.fields(name).getMap("$"), created);
  }

  @Test
  void theDescriptionFollowsTheContent() {
    var name = Api.newFilter();
    Api.add(name, "one").statusCode(200);
    Api.describe(name)
        .body("insertions", equalTo(1))
        .body("bitsSet", lessThanOrEqualTo(7))
        .body("bitsSet", greaterThan(0))
        .body("approximateElementCount", equalTo(1));
    var description = Api.tree(Api.description(name));
    var ratio = description.path("bitsSet").asInt() / 9600.0;
    assertEquals(ratio, description.path("fillRatio").asDouble(), 1e-12);
    var rate = description.path("estimatedFalsePositiveProbability").asDouble();
    assertEquals(Math.pow(ratio, 7), rate, 1e-30);
  }

  @Test
  void aSaturatedFilterHasNoElementCount() {
    var name = Api.newFilter("{\"bitSize\": 64, \"numHashFunctions\": 64}");
    Api.add(name, IntStream.range(0, 100).mapToObj(Integer::toString).toArray(String[]::new));
    Api.describe(name)
        .body("bitsSet", equalTo(64))
        .body("approximateElementCount", nullValue())
        .body("estimatedFalsePositiveProbability", equalTo(1.0f));
  }

  @Test
  void creatingAgainWithTheSameParametersFindsTheFilter() {
    var name = Api.newFilter();
    Api.add(name, "kept").statusCode(200);
    Api.put(
            name,
            "{\"expectedInsertions\": 1000, \"falsePositiveProbability\": 0.01,"
                + " \"hashScheme\": \"bloomgate-1\", \"whenFull\": \"accept\"}")
        .statusCode(200)
        .header("Location", nullValue())
        .body("insertions", equalTo(1));
  }

  @Test
  void otherParametersAreAConflictThatNamesEachDifference() {
    var name = Api.newFilter();
    var before = Api.description(name);
    var other =
        "{\"expectedInsertions\": 2000, \"falsePositiveProbability\": 0.001, \"whenFull\": \"reject\"}";
    Api.refused(409, "FILTER_EXISTS", Api.put(name, other))
        .body(
            "differences.field",
            contains(
                "expectedInsertions",
                "falsePositiveProbability",
                "bitSize",
                "numHashFunctions",
                "whenFull"))
        .body("differences[0].existing", equalTo(1000))
        .body("differences[0].requested", equalTo(2000))
        .body("differences[4].existing", equalTo("accept"))
        .body("differences[4].requested", equalTo("reject"));
    assertEquals(before, Api.description(name));
  }

  @Test
  void anExistingFilterIsProbedWithoutABody() {
    var name = Api.newFilter();
    given().head(Api.FILTERS + name).then().statusCode(200).body(emptyString());
    given().head(Api.FILTERS + Api.newName()).then().statusCode(404).body(emptyString());
  }

  @Test
  void aDamagedFilterIsProbedAsDamaged() {
    var name = Api.newFilter();
    Api.add(name, "one").statusCode(200);
    redis.run("DEL", Api.fields(name).getString("redisKey"));
    given().head(Api.FILTERS + name).then().statusCode(410).body(emptyString());
  }

  @Test
  void aTimeToLiveIsSetWithTheFilter() {
    var before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var name = Api.newFilter("{\"expectedInsertions\": 10, \"ttlSeconds\": 100}");
    var expiresAt = Instant.parse(Api.fields(name).getString("expiresAt"));
    assertFalse(expiresAt.isBefore(before.plusSeconds(100)), "expiresAt " + expiresAt);
    assertFalse(expiresAt.isAfter(Instant.now().plusSeconds(100)), "expiresAt " + expiresAt);
    assertExpiry(expiresAt, keysOf(name));
  }

  @Test
  void anExpiryIsSetWithTheFilterToTheMillisecond() {
    var expiry = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.MICROS).plusNanos(999);
    var name =
        Api.newFilter("{\"expectedInsertions\": 10, \"expiresAt\": \"%s\"}".formatted(expiry));
    var stored = expiry.truncatedTo(ChronoUnit.MILLIS);
    assertEquals(stored, Instant.parse(Api.fields(name).getString("expiresAt")));
    assertExpiry(stored, keysOf(name));
  }

  /** A 410 alone would mean that nothing was changed. */
  @Test
  void aChangeOfADamagedFilterReportsThatItTookEffect() {
    var name = Api.newFilter();
    var to = Api.newName();
    Api.add(name, "a").statusCode(200);
    redis.run("DEL", Api.fields(name).getString("redisKey"));
    for (var change :
        List.of(
            Api.expiry(name, "{\"ttlSeconds\": 1000}"),
            Api.post(name, "rename", Map.of("to", to)))) {
      Api.refused(410, "FILTER_DAMAGED", change)
          .body("detail", startsWith("The request took effect. The Redis key "));
    }
    Api.describe(name).statusCode(404);
    Api.describe(to).statusCode(410).body("detail", startsWith("The Redis key "));
    Api.post(to, "clear", "").statusCode(200).body("expiresAt", not(nullValue()));
  }

  @Test
  void anExpiryIsSetOnEveryKeyAndRemovedAgain() {
    var name = Api.newFilter();
    Api.add(name, "kept").statusCode(200);
    var expiry = Instant.now().plusSeconds(5000).truncatedTo(ChronoUnit.MILLIS);
    Api.expiry(name, Map.of("expiresAt", expiry.toString()))
        .statusCode(200)
        .body("expiresAt", equalTo(expiry.toString()));
    assertExpiry(expiry, keysOf(name));

    Api.delete(name + "/expiry").statusCode(200).body("expiresAt", nullValue());
    keysOf(name).forEach(key -> assertEquals(-1, redis.run("PTTL", key).toLong(), key));
    Api.test(name, "kept").body("mightContainCount", equalTo(1));
  }

  @Test
  void removingAMissingExpiryChangesNothing() {
    var name = Api.newFilter();
    Api.delete(name + "/expiry").statusCode(200).body("expiresAt", nullValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"ttlSeconds\": null}",
        "{\"ttlSeconds\": 9, \"expiresAt\": \"2037-01-01T00:00:00Z\"}",
        "{\"expiresAt\": \"2001-01-01T00:00:00Z\"}",
        "{\"expiresAt\": \"9999-01-01T00:00:00Z\"}",
        "{\"expiresAt\": \"1893456000\"}",
        "{\"expiresAt\": \"2037-01-01\"}",
        "{\"expiresAt\": \"\"}"
      })
  void anInvalidExpiryIsRefused(String body) {
    var name = Api.newFilter();
    var before = Api.description(name);
    Api.refused(400, "INVALID_REQUEST", Api.expiry(name, body));
    assertEquals(before, Api.description(name));
  }

  @Test
  void anExpiryMayHaveAnOffset() {
    var name = Api.newFilter();
    var expiry = Instant.now().plusSeconds(9000).truncatedTo(ChronoUnit.SECONDS);
    var local = expiry.atOffset(ZoneOffset.ofHours(5)).toString();
    Api.expiry(name, Map.of("expiresAt", local))
        .statusCode(200)
        .body("expiresAt", equalTo(expiry.toString()));
  }

  @Test
  void creatingAnExistingFilterReportsThatItsExpiryIsKept() {
    var name = Api.newName();
    var body = "{\"expectedInsertions\": 10, \"ttlSeconds\": %d}";
    Api.put(name, body.formatted(5000)).statusCode(201).body("$", not(hasKey("note")));
    String expiry = Api.describe(name).extract().path("expiresAt");
    Api.put(name, body.formatted(9000))
        .statusCode(200)
        .body("expiresAt", equalTo(expiry))
        .body("note", containsString("PUT /v1/filters/" + name + "/expiry"));
    Api.put(name, "{\"expectedInsertions\": 10}").body("$", not(hasKey("note")));
    Api.describe(name).body("$", not(hasKey("note")));
  }

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
    Api.source(name, Map.of("redisKey", name + ".list")).statusCode(200);
    Api.post(name, "rebuild", "{}").statusCode(201);
    Api.post(name, "rebuild/add", "{\"elements\": [\"a\"]}").statusCode(200);
    var keys = redis.run("KEYS", stateKey(name) + "*");
    assertEquals(4, keys.size(), "state, rebuild, its segment and source: " + keys);
    Api.delete(name).statusCode(204);
    keys.forEach(key -> assertFreed(key.toString()));
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
    assertExpiry(Instant.parse(expiresAt), keysOf(name));
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
    assertExpiry(expiresAt, keysOf(name));
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
