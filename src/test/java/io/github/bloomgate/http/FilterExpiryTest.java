package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expiry of filters: set at creation or later, changed, removed, reached. */
@QuarkusTest
class FilterExpiryTest extends FilterAndKeys {

  @Test
  void aTimeToLiveIsSetWithTheFilter() {
    var before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var name = Api.newFilter("{\"expectedInsertions\": 10, \"ttlSeconds\": 100}");
    var expiresAt = Instant.parse(Api.fields(name).getString("expiresAt"));
    assertFalse(expiresAt.isBefore(before.plusSeconds(100)), "expiresAt " + expiresAt);
    assertFalse(expiresAt.isAfter(Instant.now().plusSeconds(100)), "expiresAt " + expiresAt);
    assertDeadline(expiresAt, keysOf(name));
  }

  @Test
  void anExpiryIsSetWithTheFilterToTheMillisecond() {
    var deadline = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.MICROS).plusNanos(999);
    var name =
        Api.newFilter("{\"expectedInsertions\": 10, \"expiresAt\": \"%s\"}".formatted(deadline));
    var stored = deadline.truncatedTo(ChronoUnit.MILLIS);
    assertEquals(stored, Instant.parse(Api.fields(name).getString("expiresAt")));
    assertDeadline(stored, keysOf(name));
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
    var deadline = Instant.now().plusSeconds(5000).truncatedTo(ChronoUnit.MILLIS);
    Api.expiry(name, Map.of("expiresAt", deadline.toString()))
        .statusCode(200)
        .body("expiresAt", equalTo(deadline.toString()));
    assertDeadline(deadline, keysOf(name));

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
    var deadline = Instant.now().plusSeconds(9000).truncatedTo(ChronoUnit.SECONDS);
    var local = deadline.atOffset(ZoneOffset.ofHours(5)).toString();
    Api.expiry(name, Map.of("expiresAt", local))
        .statusCode(200)
        .body("expiresAt", equalTo(deadline.toString()));
  }

  @Test
  void creatingAnExistingFilterReportsThatItsExpiryIsKept() {
    var name = Api.newName();
    var body = "{\"expectedInsertions\": 10, \"ttlSeconds\": %d}";
    Api.put(name, body.formatted(5000)).statusCode(201).body("$", not(hasKey("note")));
    String deadline = Api.describe(name).extract().path("expiresAt");
    Api.put(name, body.formatted(9000))
        .statusCode(200)
        .body("expiresAt", equalTo(deadline))
        .body("note", containsString("PUT /v1/filters/" + name + "/expiry"));
    Api.put(name, "{\"expectedInsertions\": 10}").body("$", not(hasKey("note")));
    Api.describe(name).body("$", not(hasKey("note")));
  }
}
