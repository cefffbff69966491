package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Requests and checks that many tests share. */
public final class Api {

  private static final ObjectMapper JSON = new ObjectMapper();

  public static final String FILTERS = "/v1/filters/";

  /** A false-positive rate of one in a billion, so that tests can treat "maybe" as yes. */
  static final String SHARP =
      "{\"expectedInsertions\": 100000, \"falsePositiveProbability\": 1e-9}";

  private Api() {}

  public static String newName() {
    return "test-" + UUID.randomUUID();
  }

  /** Creates a filter for a thousand elements. */
  public static String newFilter() {
    return newFilter("{\"expectedInsertions\": 1000}");
  }

  public static String newFilter(Object body) {
    var name = newName();
    put(name, body).statusCode(201);
    return name;
  }

  /** Creates a filter of two small segments. The key of the second one contains its incarnation. */
  public static String newFilterOfTwoSegments() {
    return newFilter("{\"bitSize\": 16777280, \"numHashFunctions\": 3}");
  }

  public static RequestSpecification json(Object body) {
    return given().contentType(ContentType.JSON).body(body);
  }

  public static ValidatableResponse put(String name, Object body) {
    return json(body).put(FILTERS + name).then();
  }

  public static ValidatableResponse describe(String name) {
    return given().get(FILTERS + name).then();
  }

  /** The description of an existing filter. */
  public static JsonPath fields(String name) {
    return describe(name).extract().jsonPath();
  }

  public static String description(String name) {
    return describe(name).statusCode(200).extract().asString();
  }

  /** Lists filters. */
  static ValidatableResponse list(String query) {
    return raw().get("/v1/filters?" + query).then().statusCode(200);
  }

  public static ValidatableResponse post(String name, String operation, Object body) {
    return json(body).post(FILTERS + name + "/" + operation).then();
  }

  public static ValidatableResponse add(String name, String... elements) {
    return post(name, "add", Map.of("elements", Arrays.asList(elements)));
  }

  /** A body with the elements e0, e1, and so on. */
  public static String elements(int from, int to) {
    return elements("e", from, to);
  }

  /** A body with numbered elements. */
  public static String elements(String prefix, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(number -> "\"" + prefix + number + "\"")
        .collect(Collectors.joining(",", "{\"elements\": [", "]}"));
  }

  public static ValidatableResponse addEncoded(
      String name, String encoding, List<String> elements) {
    return post(name, "add", Map.of("elements", elements, "encoding", encoding));
  }

  public static ValidatableResponse test(String name, String... elements) {
    return post(name, "test", Map.of("elements", Arrays.asList(elements)));
  }

  public static ValidatableResponse testEncoded(
      String name, String encoding, List<String> elements) {
    return post(name, "test", Map.of("elements", elements, "encoding", encoding));
  }

  /** Deletes a filter, or something below its path. */
  public static ValidatableResponse delete(String path) {
    return given().delete(FILTERS + path).then();
  }

  public static ValidatableResponse expiry(String name, Object body) {
    return json(body).put(FILTERS + name + "/expiry").then();
  }

  /** Sets the source of a filter. */
  public static ValidatableResponse source(String name, Object body) {
    return json(body).put(FILTERS + name + "/source").then();
  }

  /** Imports a file, with a query that may be empty. */
  public static ValidatableResponse load(String name, String query, byte[] file) {
    return given()
        .contentType("application/octet-stream")
        .body(file)
        .put(FILTERS + name + "/import" + query)
        .then();
  }

  /** Exports a filter, with a query that may be empty. */
  public static byte[] exported(String name, String query) {
    return export(name, query).statusCode(200).extract().asByteArray();
  }

  public static ValidatableResponse export(String name, String query) {
    return given().get(FILTERS + name + "/export" + query).then();
  }

  /** The sum of a metric's samples that begin with this text; 0 if there are none. */
  public static double metric(String beginning) {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(beginning))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  static void awaitNoStream() {
    awaitStreams(0);
  }

  static void awaitStreams(int running) {
    Awaitility.await().until(() -> metric("bloom_streams_running ") == running);
  }

  public static ValidatableResponse refused(int status, String code, ValidatableResponse answer) {
    return answer
        .statusCode(status)
        .contentType("application/problem+json")
        .body("code", equalTo(code));
  }

  /** GET with the query exactly as given. */
  public static ValidatableResponse testByUrl(String name, String query) {
    return raw().get(FILTERS + name + "/test?" + query).then();
  }

  /** A request whose URL is sent exactly as given. */
  public static RequestSpecification raw() {
    return given().urlEncodingEnabled(false);
  }

  /** The client would otherwise add a charset. */
  public static RequestSpecification lines(String type, String content) {
    return raw()
        .config(
            RestAssuredConfig.config()
                .encoderConfig(
                    EncoderConfig.encoderConfig()
                        .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                        .encodeContentTypeAs("application/x-ndjson", ContentType.TEXT)
                        .encodeContentTypeAs("application/octet-stream", ContentType.TEXT)))
        .contentType(type)
        .body(content);
  }

  /** Parses a JSON response. REST Assured would compile each path, which takes milliseconds. */
  public static JsonNode tree(String answer) {
    try {
      return JSON.readTree(answer);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
