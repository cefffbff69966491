package io.github.bloomgate.http;

import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies and merges of filters. */
@QuarkusTest
class CombinationResourceTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"expectedInsertions\": 1000, \"whenFull\": \"reject\"}",
        "{\"bitSize\": 16777280, \"numHashFunctions\": 3}"
      })
  void aCopyIsCreatedAndDescribed(String body) {
    var from = Api.newFilter(body);
    var to = Api.newName();
    Api.add(from, "kept").statusCode(200);
    var original = Api.fields(from);
    Api.post(from, "copy", Map.of("to", to))
        .statusCode(201)
        .header("Location", endsWith("/v1/filters/" + to))
        .body("name", equalTo(to))
        .body("state", equalTo("ready"))
        .body("bitSize", equalTo(original.getInt("bitSize")))
        .body("whenFull", equalTo(original.getString("whenFull")))
        .body("insertions", equalTo(1))
        .body("bitsSet", equalTo(original.getInt("bitsSet")))
        .body("generation", equalTo(1))
        .body("expiresAt", nullValue())
        .body("rebuild", nullValue())
        .body("redisKey", startsWith("bloom:{" + to + "}:"));
    Api.test(to, "kept", "other").body("mightContain", equalTo(List.of(true, false)));
    Api.list("prefix=" + to).body("filters[0].name", equalTo(to));
  }

  @Test
  void aCopyHasTheRequestedExpiryOrTheOriginals() {
    var from = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 5000}");
    var expiry = Api.fields(from).getString("expiresAt");
    Api.post(from, "copy", Map.of("to", Api.newName()))
        .statusCode(201)
        .body("expiresAt", equalTo(expiry));
    var other = Instant.now().plusSeconds(9_000).truncatedTo(ChronoUnit.SECONDS).toString();
    var to = Api.newName();
    Api.post(from, "copy", Map.of("to", to, "expiresAt", other))
        .statusCode(201)
        .body("expiresAt", equalTo(Instant.parse(other).toString()));
    var given =
        Api.post(from, "copy", Map.of("to", to, "replace", true, "ttlSeconds", 100))
            .statusCode(201)
            .extract()
            .jsonPath();
    assertNotEquals(expiry, given.getString("expiresAt"));
    assertEquals(2, given.getInt("generation"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"to\": null}",
        "{\"to\": \"x\", \"ttlSeconds\": 5, \"expiresAt\": \"2099-01-01T00:00:00Z\"}"
      })
  void invalidCopiesAreRefused(String body) {
    Api.refused(400, "INVALID_REQUEST", Api.post(Api.newFilter(), "copy", body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"expectedInsertions\": 1000}",
        "{\"bitSize\": 16777280, \"numHashFunctions\": 3}"
      })
  void aUnionHoldsAllElementsAndReportsItsFillRatio(String body) {
    var target = Api.newFilter(body);
    var one = Api.newFilter(body);
    var two = Api.newFilter(body);
    Api.add(target, "t", "shared").statusCode(200);
    Api.add(one, "a", "shared").statusCode(200);
    Api.add(two, "b", "shared").statusCode(200);
    var merged =
        Api.post(target, "merge", Map.of("from", List.of(one, two)))
            .statusCode(200)
            .body("name", equalTo(target))
            .body("insertions", equalTo(4))
            .body("approximateElementCount", equalTo(4))
            .body("generation", equalTo(2))
            .body("rebuild", nullValue())
            .extract()
            .asString();
    assertEquals(Api.description(target), merged);
    Api.test(target, "t", "a", "b", "shared", "none")
        .body("mightContain", equalTo(List.of(true, true, true, true, false)));
    Api.test(one, "a", "b").body("mightContain", equalTo(List.of(true, false)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"from\": [null]}",
        "{\"from\": [\"x\"], \"maxFalsePositiveProbability\": 0}",
        "{\"from\": [\"x\", \"x\"]}"
      })
  void invalidMergesAreRefused(String body) {
    Api.refused(400, "INVALID_REQUEST", Api.post(Api.newFilter(), "merge", body));
  }

  @Test
  void anInvalidNameIsShownByItsPlace() {
    Api.post(Api.newFilter(), "merge", "{\"from\": [\"x\", \"not a name\"]}")
        .statusCode(400)
        .body("violations[0].field", equalTo("from[1]"));
  }

  @Test
  void tooManyFiltersToMergeAreRefused() {
    Api.post(Api.newFilter(), "merge", Map.of("from", Collections.nCopies(17, "x")))
        .statusCode(400)
        .body("violations[0].field", equalTo("from"));
  }
}
