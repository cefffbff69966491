package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.LIMITED;
import static io.github.bloomgate.http.access.TestKeys.PREFIX;
import static io.github.bloomgate.http.access.TestKeys.READER;
import static io.github.bloomgate.http.access.TestKeys.WRITER;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.newFilter;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rates of keys and filters, over HTTP. Debts last longer than the slowest machine needs. */
@QuarkusTest
@TestProfile(RateLimitsTest.Limits.class)
@Tag("slow")
class RateLimitsTest {

  private static final int ELEMENTS_OF_KEY = 100;

  /** More requests than the slowest machine answers within the rate. */
  private static final int MANY = 10_000;

  private static final int ELEMENTS_OF_FILTER = 10;

  /** A key that no other test uses. */
  private static final String IN_DEBT = TestKeys.token("in-debt");

  private static final String CREATING = TestKeys.token("creating");

  private static final String SPARING = TestKeys.token("sparing");

  /** Rates for which a request of ten thousand elements is a debt of many minutes. */
  public static class Limits implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      var settings = new HashMap<>(new TestKeys().getConfigOverrides());
      TestKeys.write(
          ApiKey.line("in-debt", Role.WRITER, IN_DEBT, List.of()),
          ApiKey.line("creating", Role.ADMIN, CREATING, List.of()),
          ApiKey.line("sparing", Role.WRITER, SPARING, List.of()));
      settings.put("bloomgate.limits.requests-per-second-per-key", "1000");
      settings.put("bloomgate.limits.requests-per-second-per-filter", "8");
      settings.put("bloomgate.limits.elements-per-second-per-key", "" + ELEMENTS_OF_KEY);
      settings.put("bloomgate.limits.elements-per-second-per-filter", "" + ELEMENTS_OF_FILTER);
      return settings;
    }
  }

  @Test
  void theElementRateOfAFilterLimitsOnlyThatFilterForAllKeys() {
    var filter = newFilter();
    add(WRITER, filter, 1000).then().statusCode(200);

    Api.refused(429, "RATE_LIMITED", add(ADMIN, filter, 1).then())
        .header("Retry-After", notNullValue())
        .body("detail", containsString("elements-per-filter of this instance is 10 per second"));
    gate(ADMIN, filter).then().statusCode(429).body("code", equalTo("RATE_LIMITED"));
    with(ADMIN).get("/v1/filters/" + filter + "/test?element=a").then().statusCode(429);
    with(ADMIN).get("/v1/filters/" + filter).then().statusCode(200);
    gate(ADMIN, newFilter()).then().statusCode(403);
  }

  @Test
  void theElementRateOfAKeyLimitsOnlyThatKeyOnAllFilters() {
    var filter = newFilter(PREFIX);
    add(LIMITED, filter, 5000).then().statusCode(200);

    var refused = gate(LIMITED, newFilter(PREFIX));

    refused.then().statusCode(429).body("detail", containsString("elements-per-key"));
    var seconds = Integer.parseInt(refused.header("Retry-After"));
    assertTrue(seconds > 10 && seconds <= 5000 / ELEMENTS_OF_KEY, "Retry-After: " + seconds);
    gate(READER, newFilter(PREFIX)).then().statusCode(403);
  }

  @Test
  void theFirstAddOfAFilterCountsBeforeItCreatesIt() {
    var created = Api.newName() + "/add?like=" + newFilter();
    json(CREATING, Api.elements(0, 90)).post(Api.FILTERS + created).then().statusCode(200);
    var name = Api.FILTERS + created.substring(0, created.indexOf('/'));
    with(CREATING).delete(name).then().statusCode(204);
    var again = json(CREATING, Api.elements(0, 1)).post(Api.FILTERS + created).then();
    Api.refused(429, "RATE_LIMITED", again).body("detail", containsString("elements-per-filter"));
    with(ADMIN).get(name).then().statusCode(404);
  }

  @Test
  void elementsOfManyHashFunctionsCountMore() {
    var filter = Api.newName();
    TestKeys.put(ADMIN, filter, "{\"bitSize\": 100000, \"numHashFunctions\": 255}").statusCode(201);
    // With 13 elements per request, two would exceed a filter's rate of a second; 2 elements do
    // not.
    test(filter, 2).then().statusCode(200);
    test(filter, 1).then().statusCode(429).body("detail", containsString("elements-per-filter"));
    var usual = newFilter();
    test(usual, 2).then().statusCode(200);
    test(usual, 2).then().statusCode(200);
  }

  @Test
  void aRequestRefusedByItsFilterUsesNothingOfItsKey() {
    var filter = newFilter();
    add(ADMIN, filter, 90).then().statusCode(200);

    for (var attempt = 0; attempt < 2; attempt++) {
      // More than half of the key's limit, so taking it twice would be refused.
      TestKeys.post(READER, filter, "test", Api.elements(0, 60))
          .statusCode(429)
          .body("detail", containsString("elements-per-filter"));
    }
  }

  @Test
  void theHeadersDescribeEachLimit() {
    var filter = newFilter();
    var answer = gate(READER, filter);

    var policies = answer.headers().getValues("RateLimit-Policy");
    assertEquals(
        List.of(
            "\"requests-per-key\";q=1000;w=1",
            "\"requests-per-filter\";q=8;w=1",
            "\"elements-per-key\";q=100;w=1",
            "\"elements-per-filter\";q=10;w=1"),
        policies);
    var states = answer.headers().getValues("RateLimit");
    assertEquals(4, states.size());
    assertEquals("\"elements-per-filter\";r=9;t=1", states.get(3));
  }

  @Test
  void theRequestRateOfAFilterLimitsOnlyThatFilter() {
    var filter = newFilter();
    var refused =
        Stream.generate(() -> with(READER).get("/v1/filters/" + filter))
            .limit(MANY)
            .filter(answer -> answer.statusCode() == 429)
            .findFirst()
            .orElseThrow(() -> new AssertionError("none of many requests was refused"));

    Api.refused(429, "RATE_LIMITED", refused.then())
        .header("Retry-After", "1")
        .body("detail", containsString("requests-per-filter of this instance is 8 per second"));
    with(READER).get("/v1/filters/" + newFilter()).then().statusCode(200);
  }

  @Test
  void unknownPathsHaveNoLimit() {
    with(ADMIN)
        .get("/q/metrics")
        .then()
        .statusCode(200)
        .header("RateLimit-Policy", nullValue())
        .body(containsString("bloom_rate_limited_total{limit=\"elements-per-key\",}"));
  }

  @Test
  void aStreamIsSlowedDownAndNotRefused() {
    var filter = newFilter();
    var begin = System.nanoTime();
    var lines = IntStream.range(0, 45).mapToObj(i -> "e" + i).collect(Collectors.joining("\n"));

    with(ADMIN)
        .contentType("text/plain; charset=utf-8")
        .body(lines)
        .post("/v1/filters/" + filter + "/add")
        .then()
        .statusCode(200)
        .body("received", equalTo(45));

    // 45 elements at 10 a second; the first 10 pass at once.
    assertTrue(System.nanoTime() - begin > 3_400_000_000L, "was not slowed down");
  }

  @Test
  void elementsCountForEachOfSeveralFilters() {
    var filters = Stream.generate(TestKeys::newFilter).limit(4).toList();
    several(IN_DEBT, "add", filters, 1000).then().statusCode(200);

    // For one filter, a thousand elements would be a debt of at most 10 seconds.
    var refused = several(IN_DEBT, "test", List.of(newFilter()), 1);
    refused.then().statusCode(429).body("detail", containsString("elements-per-key"));
    assertTrue(Integer.parseInt(refused.header("Retry-After")) > 10, refused.asString());
    for (var filter : filters) {
      gate(SPARING, filter)
          .then()
          .statusCode(429)
          .body("detail", containsString("elements-per-filter"));
    }
    // The filter before the refused one, and the key, get their tokens back.
    var usual = newFilter();
    for (var verb : List.of("add", "test")) {
      several(SPARING, verb, List.of(usual, filters.get(0)), 900)
          .then()
          .statusCode(429)
          .header("RateLimit", containsString("elements-per-"))
          .body("detail", containsString("elements-per-filter"));
    }
    gate(SPARING, usual).then().statusCode(403);
  }

  @Test
  void aRequestCountsForEachOfSeveralFilters() {
    for (var type : List.of("text/plain; charset=utf-8", "application/json")) {
      var filters = List.of(newFilter(), newFilter());
      var query = "filter=" + String.join("&filter=", filters);
      var body =
          type.startsWith("text/plain")
              ? "a"
              : "{\"filters\": [\"%s\"], \"elements\": [\"a\"]}".formatted(filters.get(1));
      var path = type.startsWith("text/plain") ? "/v1/test?" + query : "/v1/test";
      var refused =
          Stream.generate(() -> with(SPARING).contentType(type).body(body).post(path))
              .limit(MANY)
              .filter(answer -> answer.statusCode() == 429)
              .findFirst()
              .orElseThrow(() -> new AssertionError("none of many requests was refused"));
      refused
          .then()
          .body("detail", containsString("requests-per-filter of this instance is 8 per second"));
    }
  }

  @Test
  void aStreamLeavesOutMissingFilters() {
    with(ADMIN)
        .contentType("text/plain; charset=utf-8")
        .body("a\nb")
        .post("/v1/test?missing=ignore&filter=%s&filter=%s".formatted(newFilter(), Api.newName()))
        .then()
        .statusCode(200)
        .body(equalTo("[]\n[]\n"));
  }

  private static Response several(String key, String verb, List<String> filters, int count) {
    var named = filters.stream().collect(Collectors.joining("\",\"", "\"filters\": [\"", "\"], "));
    return json(key, "{" + named + Api.elements(0, count).substring(1)).post("/v1/" + verb);
  }

  private static Response test(String filter, int count) {
    return json(READER, Api.elements(0, count)).post("/v1/filters/" + filter + "/test");
  }

  private static Response add(String key, String filter, int count) {
    return json(key, Api.elements(0, count)).post("/v1/filters/" + filter + "/add");
  }

  private static Response gate(String key, String filter) {
    return with(key).get("/v1/gate/" + filter + "?element=absent");
  }
}
