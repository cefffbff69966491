package io.github.bloomgate.http;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesRegex;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.github.bloomgate.support.RawRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with {@code maxAge}, in every form that takes it. */
@QuarkusTest
class MaxAgeTest {

  private static final String AGE = "Bloomgate-Age";
  private static final Matcher<Float> UP_TO_A_MINUTE =
      allOf(greaterThan(0f), lessThanOrEqualTo(60f));

  @Inject MeterRegistry metrics;
  @Inject RawRedis redis;

  /** The tests themselves make no call. */
  @Test
  void aTimerShowsWhatHasHappened() {
    var name = filter("a");
    var gate = "/v1/gate/" + name + "?element=a&maxAge=3600";
    var inCopies = metrics.get("bloom.copies.tests").tag("decided", "young-copy").counter();
    Awaitility.await()
        .until(
            () -> {
              var before = inCopies.count();
              Api.raw().get(gate).then().statusCode(204);
              return inCopies.count() > before;
            });
    redis.run("DEL", Api.fields(name).getString("redisKey"));
    Awaitility.await().until(() -> Api.raw().get(gate).statusCode() == 410);
    Api.refused(410, "FILTER_DAMAGED", Api.raw().get(gate).then());
  }

  @Test
  void testsOfOneFilterSayTheirAge() {
    var name = filter("a");
    for (var i = 0; i < 3; i++) {
      Api.raw()
          .get("/v1/filters/" + name + "/test?element=a&element=b&maxAge=60")
          .then()
          .statusCode(200)
          .body("mightContain", equalTo(List.of(true, false)))
          .body("ageSeconds", UP_TO_A_MINUTE);
      for (var mode : List.of("flags", "summary", "present", "absent")) {
        Api.json(Map.of("elements", List.of("a", "b")))
            .post("/v1/filters/" + name + "/test?maxAge=60&return=" + mode)
            .then()
            .statusCode(200)
            .body("ageSeconds", UP_TO_A_MINUTE);
      }
    }
  }

  @Test
  void testsOfSeveralFiltersSayTheGreatestAge() {
    var names = List.of(filter("a"), filter("a", "b"));
    for (var i = 0; i < 3; i++) {
      Api.json(Map.of("filters", names, "elements", List.of("a", "b")))
          .post("/v1/test?maxAge=60")
          .then()
          .statusCode(200)
          .body("any", equalTo(List.of(true, true)))
          .body("all", equalTo(List.of(true, false)))
          .body("ageSeconds", UP_TO_A_MINUTE);
      Api.raw()
          .get("/v1/test?maxAge=0.1&element=b&filter=" + names.get(0) + "&filter=" + names.get(1))
          .then()
          .statusCode(200)
          .body("any", equalTo(List.of(true)))
          .body("ageSeconds", notNullValue());
    }
  }

  @Test
  void theGateSaysTheAgeInAHeader() {
    var name = filter("a");
    var others = "filter=" + name + "&filter=" + filter("b") + "&maxAge=60&element=";
    for (var i = 0; i < 3; i++) {
      aged(204, "/v1/gate/" + name + "?maxAge=60&element=a");
      aged(403, "/v1/gate/" + name + "?maxAge=60&element=b");
      aged(204, "/v1/gate?" + others + "b");
      aged(403, "/v1/gate?" + others + "c");
      aged(200, "/v1/ext-authz?" + others + "b");
      aged(403, "/v1/ext-authz?" + others + "c");
    }
    Api.raw().get("/v1/gate/" + name + "?element=a").then().header(AGE, nullValue());
  }

  private static void aged(int status, String target) {
    Api.raw()
        .get(target)
        .then()
        .statusCode(status)
        .header(AGE, matchesRegex("[0-9]{1,2}\\.[0-9]{1,3}"));
  }

  @Test
  void aStreamSaysTheGreatestAge() {
    var name = filter("a");
    for (var i = 0; i < 3; i++) {
      lines("/v1/filters/" + name + "/test?maxAge=60", "a\nb\n")
          .statusCode(200)
          .body("received", equalTo(2))
          .body("mightContainCount", equalTo(1))
          .body("ageSeconds", UP_TO_A_MINUTE);
      lines("/v1/filters/" + name + "/test?maxAge=60&return=flags", "a\nb\n")
          .statusCode(200)
          .body(equalTo("1\n0\n"));
      lines("/v1/test?maxAge=60&filter=" + name, "a\nb\n")
          .statusCode(200)
          .body(equalTo("[\"" + name + "\"]\n[]\n"));
    }
  }

  private static ValidatableResponse lines(String target, String body) {
    return Api.lines("text/plain", body).post(target).then();
  }

  @Test
  void answersOfRedisHaveNoAge() {
    var name = filter("a");
    Api.raw().get("/v1/filters/" + name + "/test?element=a").then().body("ageSeconds", nullValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "0", "0.09", "3600.1", "1e9", "NaN", "two", "1s", ""})
  void anAgeThatCannotBeIsRefused(String age) {
    var name = filter("a");
    for (var target :
        List.of(
            "/v1/filters/" + name + "/test?element=a",
            "/v1/gate/" + name + "?element=a",
            "/v1/test?element=a&filter=" + name)) {
      Api.refused(400, "INVALID_REQUEST", Api.raw().get(target + "&maxAge=" + age).then());
    }
  }

  @Test
  void changesHaveNoAge() {
    var name = filter("a");
    Api.refused(
        400,
        "INVALID_REQUEST",
        Api.json(Map.of("elements", List.of("a")))
            .post("/v1/filters/" + name + "/add?maxAge=2")
            .then());
    Api.refused(
        400,
        "INVALID_REQUEST",
        Api.json(Map.of("elements", List.of("a")))
            .post("/v1/filters/" + name + "/test?maxAge=2&durability=replicated")
            .then());
  }

  @Test
  void filtersWithoutCopiesAreRefusedByName() {
    var adopted =
        Api.newFilter(
            "{\"hashScheme\": \"go-zero\", \"redisKey\": \"k-%s\", \"bitSize\": 1000}"
                .formatted(Api.newName()));
    Api.refused(
            400,
            "INVALID_REQUEST",
            Api.raw().get("/v1/gate/" + adopted + "?element=a&maxAge=2").then())
        .body("detail", containsString("'" + adopted + "'"));
    var large = Api.newFilter("{\"expectedInsertions\": 1000000000}");
    Api.refused(
            422,
            "LIMIT_EXCEEDED",
            Api.raw().get("/v1/gate/" + large + "?element=a&maxAge=2").then())
        .body(
            "detail",
            allOf(containsString("'" + large + "'"), containsString("bloomgate.memory.copies")));
  }

  private static String filter(String... elements) {
    var name = Api.newFilter(Api.SHARP);
    Api.add(name, elements).statusCode(200);
    return name;
  }
}
