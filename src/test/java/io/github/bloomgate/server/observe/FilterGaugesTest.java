package io.github.bloomgate.server.observe;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
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
  private static final Pattern CALLS =
      Pattern.compile("^bloom_script_seconds_count\\{script=\"find\",} (\\S+)$", Pattern.MULTILINE);

  private final FilterGauges gauges;
  private final RawRedis redis;

  FilterGaugesTest(FilterGauges gauges, RawRedis redis) {
    this.gauges = gauges;
    this.redis = redis;
  }

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
    refresh();

    var metrics = metrics();
    assertEquals(exact.getDouble("fillRatio"), gauge(metrics, "fill_ratio", "a"));
    assertEquals(exact.getDouble("insertions"), gauge(metrics, "insertions", "a"));
    assertEquals(1000, gauge(metrics, "expected_insertions", "a"));
    assertEquals(
        exact.getDouble("estimatedFalsePositiveProbability"),
        gauge(metrics, "estimated_false_positive_probability", "a"),
        1e-15);
    assertEquals(
        exact.getDouble("falsePositiveProbability"),
        gauge(metrics, "false_positive_probability", "a"));

    var large = get("/v1/filters/gauged-b").jsonPath();
    assertTrue(large.getInt("segments") > 10, "the filter must have many segments");
    assertEquals(
        large.getDouble("insertions"),
        gauge(metrics, "insertions", "b"),
        large.getDouble("insertions") / 4);
    assertEquals(
        large.getDouble("fillRatio"),
        gauge(metrics, "fill_ratio", "b"),
        large.getDouble("fillRatio") / 4);
  }

  /** Does not compare the capacity, because a growing filter adds a layer before it is full. */
  @Test
  void allLayersCount() {
    create("a", "{\"expectedInsertions\": 100, \"whenFull\": \"grow\"}");
    add("a", 600);
    awaitFolds("a");
    var exact = get("/v1/filters/gauged-a").jsonPath();
    assertEquals(3, exact.getList("layers").size());
    refresh();
    var metrics = metrics();
    assertFalse(metrics.contains("bloom_filter_expected_insertions{filter=\"gauged-a\""));
    assertEquals(exact.getDouble("insertions"), gauge(metrics, "insertions", "a"));
    assertEquals(exact.getDouble("fillRatio"), gauge(metrics, "fill_ratio", "a"), 1e-6);
    assertEquals(
        exact.getDouble("estimatedFalsePositiveProbability"),
        gauge(metrics, "estimated_false_positive_probability", "a"),
        1e-8);
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
    refresh();
    var metrics = metrics();
    assertEquals(exact.getDouble("fillRatio"), gauge(metrics, "fill_ratio", "a"), 1e-6);
    assertEquals(
        exact.getDouble("estimatedFalsePositiveProbability"),
        gauge(metrics, "estimated_false_positive_probability", "a"),
        1e-8);
    assertEquals(1000, gauge(metrics, "expected_insertions", "a"));
    assertFalse(metrics.contains("bloom_filter_insertions{filter=\"gauged-a\""));
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
    refresh();
    assertEquals("gauged-n1 gauged-n2 gauged-n3", measured());

    var before = calls();
    refresh();
    assertEquals(before + 3, calls());
  }

  @Test
  void missingAndDamagedFiltersHaveNoGauges() {
    create("x", "{\"expectedInsertions\": 10}");
    create("y", "{\"expectedInsertions\": 10}");
    create("z", "{\"expectedInsertions\": 10}");
    refresh();
    assertEquals("gauged-x gauged-y gauged-z", measured());

    delete("x");
    redis.run("HDEL", "bloom:{gauged-y}", "definition");
    refresh();
    assertEquals("gauged-z", measured());

    // As if it had expired: the name is still in the catalogue.
    redis.run("DEL", "bloom:{gauged-z}");
    refresh();
    assertEquals("", measured());
    assertFalse(metrics().contains("filter=\"gauged-z\""));
    assertEquals("null", "" + redis.run("ZSCORE", "bloom:{=names}", "gauged-z"));
  }

  private void refresh() {
    gauges.refresh();
  }

  private static void create(String name, String body) {
    given().contentType(ContentType.JSON).body(body).put("/v1/filters/" + PREFIX + name);
  }

  private void delete(String name) {
    given().delete("/v1/filters/" + PREFIX + name);
    // Removes the names of filters that lost their keys.
    redis.run("ZREM", "bloom:{=names}", PREFIX + name);
  }

  private static void add(String name, int elements) {
    var lines =
        IntStream.range(0, elements).mapToObj(i -> "e" + i).collect(Collectors.joining("\n"));
    Api.lines("text/plain", lines)
        .post("/v1/filters/" + PREFIX + name + "/add")
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
    return FILLS
        .matcher(metrics())
        .results()
        .map(sample -> sample.group(1))
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static double calls() {
    var sample = CALLS.matcher(metrics());
    assertTrue(sample.find());
    return Double.parseDouble(sample.group(1));
  }

  private static double gauge(String metrics, String gauge, String name) {
    var start = "bloom_filter_%s{filter=\"%s%s\",} ".formatted(gauge, PREFIX, name);
    return metrics
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + start));
  }
}
