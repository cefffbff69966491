package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static java.math.BigDecimal.ONE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Stream.concat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Contract.Operation;
import io.github.bloomgate.support.Contract.Parameter;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every operation of the contract refuses invalid requests and missing filters, and its errors name
 * the valid values.
 */
@QuarkusTest
class StrictRequestTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Parameters that would otherwise come from the file in a request. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "importFilter/hashScheme", "format=redis-bitmap&expectedInsertions=10&",
          "importFilter/elementCodec",
              "format=redis-bitmap&hashScheme=redisson&bitSize=64&numHashFunctions=2&",
          "importFilter/expectedInsertions", "format=guava&",
          "importFilter/falsePositiveProbability", "format=guava&",
          "importFilter/bitSize", "format=redis-bitmap&hashScheme=redisson&",
          "importFilter/numHashFunctions", "format=redis-bitmap&hashScheme=redisson&bitSize=64&");

  @TestFactory
  Stream<DynamicContainer> everyOperationRefusesInvalidRequests() {
    return Contract.read().operations().stream()
        .map(
            operation ->
                dynamicContainer(
                    operation.id(), types(operation).flatMap(type -> tests(operation, type))));
  }

  private static Stream<String> types(Operation operation) {
    return operation.bodies().isEmpty() ? Stream.of("") : operation.bodies().keySet().stream();
  }

  private static Stream<DynamicTest> tests(Operation operation, String type) {
    var call = new Call(operation, type, Api.newFilter());
    var tests = new ArrayList<DynamicTest>();
    tests.add(call.refuses("an unknown parameter", "nosuch=1"));
    tests.add(call.refuses("an unknown parameter without a value", "nosuch"));
    operation.query().forEach(parameter -> tests.addAll(call.ofParameter(parameter)));
    if (type.equals("application/json")) {
      var schema = operation.bodies().get(type).schema();
      forbidden(schema).forEach(value -> tests.add(call.refusesJson(value)));
      Contract.texts(schema.path("required")).forEach(field -> tests.add(call.needs(field)));
    }
    if (type.isEmpty()) {
      tests.add(call.refusesABody());
    }
    if (operation.successTypes().contains("application/json")) {
      tests.add(call.answersAnyJson());
    }
    if (operation.successTypes().equals(Set.of("application/json"))) {
      tests.add(call.refusesClientsThatDoNotAcceptJson());
    }
    // The example of an import is not a file.
    if (operation.answers().containsKey(404)
        && operation.path().contains("{name}")
        && !operation.id().equals("importFilter")) {
      tests.add(call.needsAFilter());
    }
    tests.add(call.changedNothing());
    return tests.stream();
  }

  /**
   * Values that a schema forbids, including objects with a forbidden field and arrays of forbidden
   * items.
   */
  private static List<JsonNode> forbidden(JsonNode schema) {
    var values = new ArrayList<>(beyond(schema));
    var type = schema.path("type").asText();
    Stream.of(
            TextNode.valueOf("nosuch"),
            IntNode.valueOf(1),
            DecimalNode.valueOf(new BigDecimal("1.5")),
            BooleanNode.TRUE,
            JSON.objectNode(),
            JSON.arrayNode().add(1))
        .filter(value -> !isOf(type, value))
        .forEach(values::add);
    if (type.equals("array")) {
      forbidden(resolved(schema.get("items")))
          .forEach(item -> values.add(JSON.arrayNode().add(item)));
    }
    if (schema.has("properties")) {
      values.add(JSON.objectNode().put("nosuch", true));
    }
    schema
        .path("properties")
        .properties()
        .forEach(
            field ->
                forbidden(resolved(field.getValue()))
                    .forEach(value -> values.add(JSON.objectNode().set(field.getKey(), value))));
    return values;
  }

  /** The schema of a field, or of its non-null values. */
  private static JsonNode resolved(JsonNode field) {
    return Contract.read().resolve(field.has("anyOf") ? field.get("anyOf").get(0) : field);
  }

  /** Values of the right type that a schema forbids. */
  private static List<JsonNode> beyond(JsonNode schema) {
    var values = new ArrayList<JsonNode>();
    if (schema.has("enum")) {
      values.add(TextNode.valueOf("nosuch"));
    }
    if (schema.has("minimum")) {
      values.add(DecimalNode.valueOf(schema.get("minimum").decimalValue().subtract(ONE)));
    }
    if (schema.has("maximum")) {
      values.add(DecimalNode.valueOf(schema.get("maximum").decimalValue().add(ONE)));
    }
    if (schema.has("exclusiveMaximum")) {
      values.add(schema.get("exclusiveMaximum"));
    }
    if (schema.has("minLength")) {
      values.add(TextNode.valueOf(""));
    }
    if (schema.has("maxLength")) {
      values.add(TextNode.valueOf("a".repeat(schema.get("maxLength").asInt() + 1)));
    }
    if (schema.has("pattern")) {
      values.add(TextNode.valueOf("a/b"));
    }
    if (schema.has("minItems")) {
      values.add(JSON.arrayNode());
    }
    return values;
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      default -> value.isObject();
    };
  }

  /** Requests of an operation with a body of one media type. */
  private record Call(Operation operation, String type, String filter) {

    List<DynamicTest> ofParameter(Parameter parameter) {
      var name = parameter.name();
      var needed = NEEDED.getOrDefault(operation.id() + "/" + name, "") + required(parameter);
      var schema = ofOneValue(parameter);
      var tests = new ArrayList<DynamicTest>();
      if (parameter.required()) {
        tests.add(
            dynamicTest(
                type + " needs " + name,
                () -> {
                  var refused = send(needed, "");
                  assertInvalid(refused);
                  assertNames(name, refused);
                }));
      }
      if (!mayBeEmpty(schema)) {
        tests.add(refuses(name + " without a value", needed + name));
        tests.add(refuses(name + " of no text", needed + name + "="));
      }
      if (!parameter.type().equals("array")) {
        tests.add(refuses(name + " twice", needed + name + "=1&" + name + "=1"));
      }
      var bad =
          switch (parameter.type()) {
            case "integer" -> Stream.of("%2B1", "1.5", "1e-1", "01", "%201", "x");
            case "number" -> Stream.of("%2B0.1", ".1", "0.1d", "0x1p-3", "NaN", "x");
            case "boolean" -> Stream.of("TRUE", "1", "yes");
            default -> Stream.<String>of();
          };
      for (var value : concat(bad, beyond(schema).stream().map(JsonNode::asText)).toList()) {
        tests.add(
            dynamicTest(
                "%s refuses %s=%s".formatted(type, name, shortened(value)),
                () -> {
                  var refused = send(needed + name + "=" + value, "");
                  assertInvalid(refused);
                  parameter.values().forEach(known -> assertNames(known, refused));
                }));
      }
      return tests;
    }

    /**
     * The start of a query with the other required parameters of the operation, and the element,
     * which a gate can also take from elsewhere.
     */
    private String required(Parameter... besides) {
      return operation.query().stream()
          .filter(other -> other.required() || other.name().equals("element"))
          .filter(other -> !List.of(besides).contains(other))
          .map(other -> other.name() + "=" + other.example() + "&")
          .collect(Collectors.joining());
    }

    private static JsonNode ofOneValue(Parameter parameter) {
      return parameter.type().equals("array")
          ? resolved(parameter.schema().get("items"))
          : parameter.schema();
    }

    private static boolean mayBeEmpty(JsonNode schema) {
      return schema.get("type").asText().equals("string")
          && !schema.has("enum")
          && !schema.has("minLength")
          && !schema.has("pattern");
    }

    /** Replaces fields of the example. */
    DynamicTest refusesJson(JsonNode value) {
      return dynamicTest(
          "refuses " + shortened(value.toString()),
          () -> {
            var refused =
                sendJson(value instanceof ObjectNode fields ? example().setAll(fields) : value);
            assertInvalid(refused);
            var field = innermostField(value);
            assertNames(field, refused);
            // The scheme of the example has no codecs.
            if (value.path(field).isTextual() && !field.equals("elementCodec")) {
              valuesOf(field).forEach(known -> assertNames(known, refused));
            }
          });
    }

    /** The values that a field of the body may have, if they are limited. */
    private List<String> valuesOf(String field) {
      var properties = operation.bodies().get(type).schema().path("properties");
      return Contract.texts(resolved(properties.path(field)).path("enum"));
    }

    DynamicTest needs(String field) {
      return dynamicTest(
          "needs " + field,
          () -> {
            var refused = sendJson(example().without(field));
            assertInvalid(refused);
            assertNames(field, refused);
          });
    }

    /** The name of the field that contains the invalid value; empty if there is none. */
    private static String innermostField(JsonNode value) {
      if (!value.isObject() || value.isEmpty()) {
        return "";
      }
      var field = value.fieldNames().next();
      var inner = innermostField(value.get(field));
      return inner.isEmpty() ? field : inner;
    }

    private ObjectNode example() {
      return (ObjectNode) Api.tree(body());
    }

    private Response sendJson(JsonNode body) {
      return Api.json(body.toString()).request(operation.method(), path(filter));
    }

    private static String shortened(String value) {
      return value.substring(0, Math.min(value.length(), 60));
    }

    DynamicTest refuses(String what, String query) {
      return dynamicTest(type + " refuses " + what, () -> assertInvalid(send(query, "")));
    }

    DynamicTest refusesABody() {
      return dynamicTest(
          "refuses a body",
          () -> {
            for (var type : List.of("application/json", "text/plain", "application/octet-stream")) {
              var body = given().header("Content-Type", type).body("{}".getBytes(UTF_8));
              assertInvalid(body.request(operation.method(), path(filter)));
            }
          });
    }

    DynamicTest answersAnyJson() {
      return dynamicTest(
          type + " is accepted as JSON",
          () -> {
            for (var accept :
                List.of("application/problem+json", "text/html, application/hal+json;q=0.1")) {
              assertNotEquals(406, send(Api.newFilter(), "", accept).statusCode());
            }
          });
    }

    DynamicTest refusesClientsThatDoNotAcceptJson() {
      return dynamicTest(
          type + " is refused without JSON",
          () -> {
            for (var accept :
                List.of("application/json;q=0", "*/*, application/json;q=0.0", "text/html")) {
              var refused = send("", accept);
              assertEquals(406, refused.statusCode(), accept + " " + refused.asString());
            }
          });
    }

    DynamicTest needsAFilter() {
      var isOfRebuild =
          operation.path().contains("/rebuild")
              && !Set.of("openRebuild", "runSource").contains(operation.id());
      return dynamicTest(
          type + " needs a filter",
          () -> {
            var refused = send(Api.newName(), required(), "");
            assertEquals(404, refused.statusCode(), refused.asString());
            if (!operation.method().equals("HEAD")) {
              assertEquals(
                  isOfRebuild ? "REBUILD_NOT_FOUND" : "FILTER_NOT_FOUND",
                  Api.tree(refused.asString()).path("code").asText());
              assertNames(isOfRebuild ? "has no open rebuild" : "There is no filter", refused);
            }
          });
    }

    DynamicTest changedNothing() {
      return dynamicTest(
          type + " changed nothing",
          () -> {
            var described = Api.tree(Api.describe(filter).statusCode(200).extract().asString());
            assertEquals(0, described.get("insertions").asInt());
            assertEquals(1, described.get("generation").asInt());
          });
    }

    private Response send(String query, String accept) {
      return send(filter, query, accept);
    }

    private Response send(String name, String query, String accept) {
      var request = Api.lines(type, type.isEmpty() ? "" : body());
      if (type.isEmpty()) {
        request = Api.raw();
      }
      if (!accept.isEmpty()) {
        request.header("Accept", accept);
      }
      var path = path(name);
      return request.request(operation.method(), query.isEmpty() ? path : path + "?" + query);
    }

    private String body() {
      return switch (type) {
        case "application/json" -> operation.bodies().get(type).example();
        case "application/x-ndjson" -> "\"a\"\n";
        default -> "a\n";
      };
    }

    private String path(String name) {
      return operation.path().replace("{name}", name);
    }

    private void assertInvalid(Response refused) {
      assertEquals(400, refused.statusCode(), refused.asString());
      if (!operation.method().equals("HEAD")) {
        assertEquals("INVALID_REQUEST", Api.tree(refused.asString()).path("code").asText());
      }
    }

    private static void assertNames(String value, Response refused) {
      var detail = Api.tree(refused.asString()).path("detail").asText();
      assertTrue(detail.contains(value), () -> value + " is not named: " + detail);
    }
  }
}
