package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.http.ServedContract.Operation;
import io.github.bloomgate.http.ServedContract.Parameter;
import io.github.bloomgate.support.ContractOperations;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every operation of the contract refuses what it does not take, and takes what it says. */
@QuarkusTest
class StrictRequestTest {

  /** The empty text is an element, and all names begin with it. */
  private static final Set<String> MAY_BE_EMPTY = Set.of("element", "prefix");

  private static final Set<String> MAY_BE_ZERO = Set.of("minElements");

  /** What the file in a request would tell otherwise. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "importFilter/hashScheme", "format=redis-bitmap&expectedInsertions=10&",
          "testFewElements/encoding", "element=a&",
          "gate/encoding", "element=a&",
          "importFilter/elementCodec",
              "format=redis-bitmap&hashScheme=redisson&bitSize=64&numHashFunctions=2&",
          "importFilter/expectedInsertions", "format=guava&",
          "importFilter/falsePositiveProbability", "format=guava&",
          "importFilter/bitSize", "format=redis-bitmap&hashScheme=redisson&",
          "importFilter/numHashFunctions", "format=redis-bitmap&hashScheme=redisson&bitSize=64&");

  @Test
  void everyOperationOfTheContractIsTried() throws IOException {
    var tried = new TreeSet<String>();
    ServedContract.read().operations().forEach(operation -> tried.add(operation.id()));

    assertEquals(ContractOperations.ids(), tried);
  }

  @TestFactory
  Stream<DynamicContainer> everyOperationRefusesWhatItDoesNotTake() throws IOException {
    var contract = ServedContract.read();
    return contract.operations().stream()
        .map(
            operation ->
                dynamicContainer(
                    operation.id(),
                    types(operation).flatMap(type -> tests(contract, operation, type))));
  }

  private static Stream<String> types(Operation operation) {
    return operation.bodies().isEmpty() ? Stream.of("") : operation.bodies().keySet().stream();
  }

  private static Stream<DynamicTest> tests(
      ServedContract contract, Operation operation, String type) {
    var call = new Call(contract, operation, type, Api.newFilter());
    var tests = new ArrayList<DynamicTest>();
    tests.add(call.refuses("an unknown parameter", "nosuch=1"));
    tests.add(call.refuses("an unknown parameter without a value", "nosuch"));
    operation.query().forEach(parameter -> tests.addAll(call.ofParameter(parameter)));
    if (type.equals("application/json")) {
      contract
          .fields(operation)
          .forEach(
              (field, schema) -> {
                if (schema.has("enum")) {
                  tests.add(call.namesValuesOf(field, ServedContract.texts(schema.get("enum"))));
                }
              });
    }
    if (type.isEmpty()) {
      tests.add(call.refusesABody());
    }
    if (operation.answers().contains("application/json")) {
      tests.add(call.answersAnyJson());
    }
    if (operation.answers().equals(Set.of("application/json"))) {
      tests.add(call.refusesWhoeverTakesNoJson());
    }
    tests.add(call.changedNothing());
    return tests.stream();
  }

  /** Requests of an operation with a body of one media type. */
  private record Call(ServedContract contract, Operation operation, String type, String filter) {

    List<DynamicTest> ofParameter(Parameter parameter) {
      var name = parameter.name();
      var needed = NEEDED.getOrDefault(operation.id() + "/" + name, "");
      var tests = new ArrayList<DynamicTest>();
      if (!MAY_BE_EMPTY.contains(name)) {
        tests.add(refuses(name + " without a value", needed + name));
        tests.add(refuses(name + " of no text", needed + name + "="));
      }
      if (!parameter.type().equals("array")) {
        tests.add(refuses(name + " twice", needed + name + "=1&" + name + "=1"));
      }
      var bad =
          switch (parameter.type()) {
            case "integer" ->
                Stream.of("%2B1", "1.5", "1e-1", "01", "%201", "x", "0", "-1")
                    .filter(value -> !(value.equals("0") && MAY_BE_ZERO.contains(name)))
                    .toList();
            case "number" -> List.of("%2B0.1", ".1", "0.1d", "0x1p-3", "NaN", "x", "0", "-1", "1");
            case "boolean" -> List.of("TRUE", "1", "yes");
            default -> parameter.values().isEmpty() ? List.<String>of() : List.of("nosuch");
          };
      for (var value : bad) {
        tests.add(
            dynamicTest(
                type + " refuses " + name + "=" + value,
                () -> {
                  var refused = send(needed + name + "=" + value, "");
                  assertInvalid(refused);
                  parameter.values().forEach(known -> assertNames(known, refused));
                }));
      }
      return tests;
    }

    DynamicTest refuses(String what, String query) {
      return dynamicTest(type + " refuses " + what, () -> assertInvalid(send(query, "")));
    }

    DynamicTest namesValuesOf(String field, List<String> values) {
      return dynamicTest(
          "names the values of " + field,
          () -> {
            var refused =
                Api.json(Map.of(field, "nosuch", "elements", List.of("a")))
                    .request(operation.method(), path(filter));
            assertEquals(400, refused.statusCode(), refused.asString());
            // Where elements are no field, that is at fault as well; which is told is not said.
            if (!refused.asString().contains("elements")) {
              values.forEach(value -> assertNames(value, refused));
            }
          });
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
          type + " answers whoever accepts any JSON",
          () -> {
            for (var accept :
                List.of("application/problem+json", "text/html, application/hal+json;q=0.1")) {
              assertNotEquals(406, send(Api.newFilter(), "", accept).statusCode());
            }
          });
    }

    DynamicTest refusesWhoeverTakesNoJson() {
      return dynamicTest(
          type + " refuses whoever takes no JSON",
          () -> {
            for (var accept :
                List.of("application/json;q=0", "*/*, application/json;q=0.0", "text/html")) {
              var refused = send("", accept);
              assertEquals(406, refused.statusCode(), accept + " " + refused.asString());
            }
          });
    }

    DynamicTest changedNothing() {
      return dynamicTest(
          type + " changed nothing",
          () -> {
            var described =
                Api.tree(Api.describe(filter).then().statusCode(200).extract().asString());
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
        case "application/json" -> contract.body(operation, type);
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
