package io.github.bloomgate.server.observe;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Found;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Only the configured number of filters is measured, with one call each. */
@QuarkusTest
@TestProfile(TracingTest.Observed.class)
@Tag("slow")
class FilterGaugesTest {

  static final String PREFIX = "gauged-";
  private static final Pattern FILLS =
      Pattern.compile(
          "^bloom_filter_fill_ratio\\{filter=\"([^\"]*)\",} (\\S+)$", Pattern.MULTILINE);

  @Inject FilterGauges gauges;
  @Inject RawRedis redis;

  @AfterEach
  void clean() {
    Stream.of("a", "b", "n1", "n2", "n3", "n4", "n5", "x", "y", "z").forEach(this::delete);
  }

  @Test
  void gaugesMatchTheDescription() {
    create("a", "{\"expectedInsertions\": 1000}");
    // About a dozen segments.
    create("b", "{\"expectedInsertions\": 15000000, \"falsePositiveProbability\": 0.001}");
    add("a", 700);
    add("b", 20_000);
    awaitFolds("a", "b");
    var exact = get("/v1/filters/gauged-a").jsonPath();
    gauges.refresh();

    assertGauge(exact, "fillRatio", 1e-15);
    assertGauge(exact, "insertions", 1e-15);
    assertEquals(1000, gauge("expected_insertions", "gauged-a"));
    assertGauge(exact, "estimatedFalsePositiveProbability", 1e-15);
    assertGauge(exact, "falsePositiveProbability", 1e-15);

    var large = get("/v1/filters/gauged-b").jsonPath();
    assertTrue(large.getInt("segments") > 10, "the filter must have many segments");
    assertGauge(large, "insertions", large.getDouble("insertions") / 4);
    assertGauge(large, "fillRatio", large.getDouble("fillRatio") / 4);
  }

  /** Does not compare the capacity, because a growing filter adds a layer before it is full. */
  @Test
  void allLayersCount() {
    create("a", "{\"expectedInsertions\": 100, \"whenFull\": \"grow\"}");
    add("a", 600);
    awaitFolds("a");
    var exact = get("/v1/filters/gauged-a").jsonPath();
    assertEquals(3, exact.getList("layers").size());
    gauges.refresh();
    assertFalse(metrics().contains("bloom_filter_expected_insertions{filter=\"gauged-a\""));
    assertGauge(exact, "insertions", 1e-15);
    assertGauge(exact, "fillRatio", 1e-6);
    assertGauge(exact, "estimatedFalsePositiveProbability", 1e-8);
    given()
        .get("/v1/filters?prefix=gauged-&figures=true")
        .then()
        .body("filters[0].figures.expectedInsertions", equalTo(700))
        .body("filters[0].figures.insertions", equalTo(exact.getInt("insertions")))
        .body("filters[0].sizeBytes", equalTo(exact.getInt("sizeBytes")));
  }

  /** Does not compare the insertions, which include expired elements. */
  @Test
  void onlyElementsInTheWindowCount() {
    create("a", "{\"expectedInsertions\": 1000, \"window\": {\"seconds\": 86400}}");
    add("a", 100);
    awaitFolds("a");
    var exact = get("/v1/filters/gauged-a").jsonPath();
    assertTrue(exact.getDouble("fillRatio") > 0);
    gauges.refresh();
    assertGauge(exact, "fillRatio", 1e-6);
    assertGauge(exact, "estimatedFalsePositiveProbability", 1e-8);
    assertEquals(1000, gauge("expected_insertions", "gauged-a"));
    assertFalse(metrics().contains("bloom_filter_insertions{filter=\"gauged-a\""));
    given()
        .get("/v1/filters?prefix=gauged-&figures=true")
        .then()
        .body("filters[0].figures.insertions", equalTo(exact.getInt("insertions")))
        .body(
            "filters[0].figures.approximateElementCount",
            equalTo(exact.getInt("approximateElementCount")))
        .body("filters[0].figures.window.seconds", equalTo(86400));
  }

  @Test
  void measuresTheFirstFiltersWithOneCallEach() {
    IntStream.range(1, 6).forEach(i -> create("n" + i, "{\"expectedInsertions\": 10}"));
    gauges.refresh();
    assertEquals("gauged-n1 gauged-n2 gauged-n3", measured());

    var before = calls();
    gauges.refresh();
    assertEquals(before + 3, calls());
  }

  @Test
  void missingAndDamagedFiltersHaveNoGauges() {
    create("x", "{\"expectedInsertions\": 10}");
    create("y", "{\"expectedInsertions\": 10}");
    create("z", "{\"expectedInsertions\": 10}");
    gauges.refresh();
    assertEquals("gauged-x gauged-y gauged-z", measured());

    delete("x");
    redis.run("HDEL", "bloom:{gauged-y}", "definition");
    gauges.refresh();
    assertEquals("gauged-z", measured());

    // As if it had expired: the name is still in the catalogue.
    redis.run("DEL", "bloom:{gauged-z}");
    gauges.refresh();
    assertEquals("", measured());
    assertFalse(metrics().contains("filter=\"gauged-z\""));
    assertEquals("null", "" + redis.run("ZSCORE", "bloom:{=names}", "gauged-z"));
  }

  private static void create(String name, String body) {
    Api.put(PREFIX + name, body);
  }

  private void delete(String name) {
    Api.delete(PREFIX + name);
    // Removes the names of filters that lost their keys.
    redis.run("ZREM", "bloom:{=names}", PREFIX + name);
  }

  private static void add(String name, int elements) {
    var lines =
        IntStream.range(0, elements).mapToObj(i -> "e" + i).collect(Collectors.joining("\n"));
    Api.lines("text/plain", lines)
        .post(Api.FILTERS + PREFIX + name + "/add")
        .then()
        .statusCode(200);
  }

  /** Gauges count what is in the bitmaps, which are updated a few seconds after the last add. */
  private static void awaitFolds(String... names) {
    for (var name : names) {
      Awaitility.await()
          .until(
              () ->
                  get("/v1/filters?figures=true&prefix=" + PREFIX + name)
                          .jsonPath()
                          .getLong("filters[0].figures.insertions")
                      == get("/v1/filters/" + PREFIX + name).jsonPath().getLong("insertions"));
    }
  }

  private static String metrics() {
    return get("/q/metrics").then().statusCode(200).extract().asString();
  }

  private static String measured() {
    return String.join(" ", Found.in(metrics(), FILLS));
  }

  /** How often filters were looked up. */
  private static double calls() {
    return Api.metric("bloom_script_seconds_count{script=\"find\",} ");
  }

  /** Asserts that the gauge for a field of a description has about the same value. */
  private static void assertGauge(JsonPath exact, String field, double tolerance) {
    var gauge = field.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    assertEquals(exact.getDouble(field), gauge(gauge, exact.getString("name")), tolerance, field);
  }

  private static double gauge(String gauge, String name) {
    var sample = "bloom_filter_%s{filter=\"%s\",} ".formatted(gauge, name);
    assertTrue(metrics().contains("\n" + sample), sample);
    return Api.metric(sample);
  }
}
