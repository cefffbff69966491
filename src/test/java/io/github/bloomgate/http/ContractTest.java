package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.github.bloomgate.http.access.Operations;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** {@code openapi.yaml} is what the service serves, and names what its resources take. */
@QuarkusTest
class ContractTest {

  @Test
  void itIsServedAsItStands() throws IOException {
    var served = given().get("/q/openapi?format=json").then().statusCode(200).extract().asString();

    assertEquals(
        new ObjectMapper(new YAMLFactory()).readTree(Path.of("openapi.yaml").toFile()),
        new ObjectMapper().readTree(served));
  }

  @Test
  void theResourcesHaveItsOperationsAndParameters() throws IOException {
    var inContract = new TreeMap<String, Set<String>>();
    for (var operation : ServedContract.read().operations()) {
      var query = of(inContract, operation.method(), operation.path());
      operation.query().stream()
          .map(some -> some.type().equals("array") ? some.name() + "[]" : some.name())
          .forEach(query::add);
    }
    var inCode = new TreeMap<String, Set<String>>();
    for (var operation : Operations.all()) {
      of(inCode, operation.verb(), operation.path()).addAll(operation.query());
    }

    assertEquals(inContract, inCode);
  }

  @Test
  void theResourcesTakeTheMediaTypesOfItsBodies() throws IOException {
    var inContract = new TreeMap<String, Set<String>>();
    for (var operation : ServedContract.read().operations()) {
      if (!operation.bodies().isEmpty()) {
        of(inContract, operation.method(), operation.path()).addAll(operation.bodies().keySet());
      }
    }
    // Generators of clients would take it for JSON, so only the description names it.
    of(inContract, "PUT", "/v1/filters/{name}/elements").add("application/x-ndjson");
    var inCode = new TreeMap<String, Set<String>>();
    for (var operation : Operations.all()) {
      if (inContract.containsKey(operation.verb() + " " + operation.path())) {
        of(inCode, operation.verb(), operation.path()).addAll(operation.mediaTypes());
      }
    }

    assertEquals(inContract, inCode);
  }

  private static Set<String> of(Map<String, Set<String>> operations, String method, String path) {
    return operations.computeIfAbsent(method + " " + path, ignored -> new TreeSet<>());
  }
}
