package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The expiry of filters that are not used, over HTTP. */
@QuarkusTest
class IdleExpiryTest {

  private static final String IDLE = "{\"expectedInsertions\": 1000, \"idleSeconds\": 3600}";
  private static final String BY_TESTS = IDLE.replace("}", ", \"extendedByTests\": true}");
  private static final String DAY = "{\"idleSeconds\": 86400, \"extendedByTests\": true}";

  private static void assertExpires(String name, int idleSeconds) {
    var left = Duration.between(Instant.now(), Instant.parse(expiry(name))).toSeconds();
    assertTrue(left > idleSeconds && left <= idleSeconds + 120, left + " s left");
  }

  private static String expiry(String name) {
    return Api.fields(name).getString("expiresAt");
  }

  @Test
  void aFilterIsCreatedWithIt() {
    var name = Api.newName();
    Api.put(name, IDLE)
        .statusCode(201)
        .body("idleSeconds", equalTo(3600))
        .body("extendedByTests", equalTo(false));
    assertExpires(name, 3600);
    Api.add(name, "a").statusCode(200);
    Api.describe(name).body("idleSeconds", equalTo(3600));
    Api.describe(Api.newFilter(BY_TESTS)).body("extendedByTests", equalTo(true));
    Api.describe(Api.newFilter())
        .body("idleSeconds", nullValue())
        .body("extendedByTests", equalTo(false));
  }

  @Test
  void anExistingFilterKeepsItsOwn() {
    var name = Api.newFilter(IDLE);
    Api.put(name, BY_TESTS)
        .statusCode(200)
        .body("extendedByTests", equalTo(false))
        .body("note", containsString("PUT /v1/filters/" + name + "/expiry"));
    Api.put(name, "{\"expectedInsertions\": 1000}").statusCode(200).body("note", nullValue());
  }

  @Test
  void itIsSetReplacedAndRemoved() {
    var name = Api.newFilter();
    Api.expiry(name, DAY)
        .statusCode(200)
        .body("idleSeconds", equalTo(86400))
        .body("extendedByTests", equalTo(true));
    assertExpires(name, 86400);
    Api.expiry(name, "{\"ttlSeconds\": 60}").body("idleSeconds", nullValue());
    assertTrue(Instant.parse(expiry(name)).isBefore(Instant.now().plusSeconds(61)));
    Api.expiry(name, DAY).body("idleSeconds", equalTo(86400));
    Api.delete(name + "/expiry").body("idleSeconds", nullValue()).body("expiresAt", nullValue());
    Api.add(name, "a").statusCode(200);
    assertEquals(null, expiry(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"idleSeconds\": 119",
        "\"idleSeconds\": 315360001",
        "\"idleSeconds\": -1",
        "\"idleSeconds\": 120.5",
        "\"idleSeconds\": \"3600\"",
        "\"idleSeconds\": 3600, \"ttlSeconds\": 3600",
        "\"idleSeconds\": 3600, \"expiresAt\": \"2037-01-01T00:00:00Z\"",
        "\"extendedByTests\": true",
        "\"extendedByTests\": true, \"ttlSeconds\": 3600",
        "\"idleSeconds\": 3600, \"extendedByTests\": \"yes\"",
        "\"idleSeconds\": 3600, \"extendedByAdds\": true",
      })
  void otherValuesAreRefused(String fields) {
    var name = Api.newFilter(IDLE);
    var before = Api.description(name);
    Api.refused(400, "INVALID_REQUEST", Api.expiry(name, "{" + fields + "}"));
    assertEquals(before, Api.description(name));
    var other = Api.newName();
    Api.refused(
        400, "INVALID_REQUEST", Api.put(other, "{\"expectedInsertions\": 9, " + fields + "}"));
    Api.describe(other).statusCode(404);
  }

  @Test
  void anExpiryIsRequired() {
    Api.refused(400, "INVALID_REQUEST", Api.expiry(Api.newFilter(), "{\"idleSeconds\": null}"))
        .body("detail", startsWith("The expiry is missing"));
  }

  @Test
  void anAdoptedFilterCannotHaveIt() {
    var adopting = "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096, \"redisKey\": \"idle %s\"%s}";
    var name = Api.newName();
    Api.refused(
            400,
            "INVALID_REQUEST",
            Api.put(name, adopting.formatted(name, ", \"idleSeconds\": 3600")))
        .body("detail", containsString("redisKey"));
    Api.put(name, adopting.formatted(name, "")).statusCode(201);
    Api.refused(400, "INVALID_REQUEST", Api.expiry(name, DAY)).body("detail", containsString(name));
    Api.describe(name).body("expiresAt", nullValue());
  }

  @Test
  void anAdoptedFilterDoesNotGetItWithACopy() {
    var shape = "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096%s}";
    var idle = Api.newFilter(shape.formatted(", \"idleSeconds\": 3600"));
    Api.add(idle, "a").statusCode(200);
    var adopted = Api.newName();
    Api.put(adopted, shape.formatted(", \"redisKey\": \"copied %s\"".formatted(adopted)))
        .statusCode(201);
    Api.refused(400, "INVALID_REQUEST", copy(idle, adopted, ""))
        .body("detail", containsString("another library"));
    Api.describe(adopted).body("expiresAt", nullValue()).body("rebuild", nullValue());
    copy(idle, adopted, ", \"ttlSeconds\": 3600").statusCode(201);
    Api.describe(adopted).body("idleSeconds", nullValue()).body("expiresAt", notNullValue());
  }

  private static ValidatableResponse copy(String from, String to, String more) {
    return Api.json("{\"to\": \"%s\", \"replace\": true%s}".formatted(to, more))
        .post(Api.FILTERS + from + "/copy")
        .then();
  }

  @Test
  void filtersLikeATemplateExpireWhenIdle() {
    var template = Api.newFilter(BY_TESTS.replace("}", ", \"template\": true}"));
    Api.describe(template).body("idleSeconds", equalTo(3600)).body("expiresAt", nullValue());
    for (var path : List.of("?like=", "?ttlSeconds=7200&like=")) {
      var name = Api.newName();
      Api.json(Map.of("elements", List.of("a")))
          .post(Api.FILTERS + name + "/add" + path + template)
          .then()
          .statusCode(200);
      var isDated = path.contains("ttl");
      Api.describe(name)
          .body("idleSeconds", isDated ? nullValue() : equalTo(3600))
          .body("extendedByTests", equalTo(!isDated))
          .body("expiresAt", notNullValue());
    }
    Api.expiry(template, DAY).statusCode(200).body("expiresAt", nullValue());
    Api.post(template, "clear", "").body("idleSeconds", equalTo(86400));
  }

  @Test
  void aCopyExpiresWhenIdleToo() {
    var name = Api.newFilter(IDLE);
    var copy = Api.newName();
    Api.post(name, "copy", Map.of("to", copy))
        .statusCode(201)
        .body("idleSeconds", equalTo(3600))
        .body("expiresAt", not(nullValue()));
    var dated = Api.newName();
    Api.post(name, "copy", Map.of("to", dated, "ttlSeconds", 60)).body("idleSeconds", nullValue());
  }
}
