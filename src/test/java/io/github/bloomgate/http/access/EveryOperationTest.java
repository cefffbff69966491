package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.FOLLOWER;
import static io.github.bloomgate.http.access.TestKeys.LIMITED;
import static io.github.bloomgate.http.access.TestKeys.PREFIX;
import static io.github.bloomgate.http.access.TestKeys.READER;
import static io.github.bloomgate.http.access.TestKeys.UNKNOWN;
import static io.github.bloomgate.http.access.TestKeys.WRITER;
import static io.github.bloomgate.http.access.TestKeys.newFilter;
import static io.github.bloomgate.http.access.TestKeys.with;
import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Contract.Operation;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every operation of the service with every kind of key. */
@QuarkusTest
@TestProfile(TestKeys.class)
class EveryOperationTest {

  private static final Map<Role, String> TOKENS =
      Map.of(Role.READER, READER, Role.FOLLOWER, FOLLOWER, Role.WRITER, WRITER, Role.ADMIN, ADMIN);

  /** The roles of operations that each role may call, as docs/security.md has them. */
  private static final Map<Role, Set<String>> MAY =
      Map.of(
          Role.READER, Set.of("reader"),
          Role.FOLLOWER, Set.of("reader", "follower"),
          Role.WRITER, Set.of("reader", "writer"),
          Role.ADMIN, Set.of("reader", "follower", "writer", "admin"));

  @TestFactory
  Stream<DynamicContainer> everyOperationWithEveryKey() {
    var operations = Contract.read().operations();
    // The framework answers HEAD where there is GET.
    var reads = operations.stream().filter(operation -> operation.method().equals("GET"));
    return Stream.concat(operations.stream(), reads.map(Operation::asHead))
        .flatMap(operation -> bodies(operation).map(type -> tests(operation, type)));
  }

  /** The media types of the operation's body, or one case without a body. */
  private static Stream<String> bodies(Operation operation) {
    return operation.bodies().isEmpty() ? Stream.of("") : operation.bodies().keySet().stream();
  }

  private static DynamicContainer tests(Operation operation, String type) {
    var tests = new ArrayList<DynamicTest>();
    tests.add(
        dynamicTest(
            "no key",
            () ->
                assertRefused(401, "UNAUTHENTICATED", operation, call(given(), operation, type))));
    tests.add(
        dynamicTest(
            "unknown key",
            () ->
                assertRefused(
                    401, "UNAUTHENTICATED", operation, call(with(UNKNOWN), operation, type))));
    for (var role : Role.values()) {
      tests.add(
          dynamicTest(
              role.roleName(),
              () -> {
                var answer = call(with(TOKENS.get(role)), operation, type);
                if (MAY.get(role).contains(operation.role())) {
                  assertLetIn(answer);
                } else {
                  assertRefused(403, "FORBIDDEN", operation, answer);
                }
              }));
    }
    if (operation.path().contains("{name}")) {
      tests.add(
          dynamicTest(
              "limited key, other name",
              () -> {
                var there = call(with(LIMITED), operation, type, newFilter());
                var notThere = call(with(LIMITED), operation, type, Api.newName());
                assertRefused(403, "FORBIDDEN", operation, there);
                assertEquals(there.asString(), notThere.asString(), "shows whether it exists");
              }));
    }
    tests.add(
        dynamicTest(
            "limited key, own name",
            () -> assertLetIn(call(with(LIMITED), operation, type, newFilter(PREFIX)))));
    return dynamicContainer(operation.method() + " " + operation.path() + " " + type, tests);
  }

  private static Response call(RequestSpecification request, Operation operation, String type) {
    return call(request, operation, type, newFilter());
  }

  /** Sends a request that is usually invalid, because access is checked first. */
  private static Response call(
      RequestSpecification request, Operation operation, String type, String name) {
    if (!type.isEmpty()) {
      var body = type.equals("application/json") ? "{}" : "x";
      request.spec(Api.lines(type, body));
    }
    if (operation.isEndless()) {
      request.queryParam("once", true);
    }
    return request.request(operation.method(), operation.path().replace("{name}", name));
  }

  private static void assertRefused(int status, String code, Operation operation, Response answer) {
    assertEquals("no-store", answer.header("Cache-Control"));
    assertEquals(status, answer.statusCode(), answer.asString());
    if (!operation.method().equals("HEAD")) {
      assertEquals("application/problem+json", answer.contentType());
      assertEquals(code, Api.tree(answer.asString()).path("code").asText());
    }
    if (status == 401) {
      assertEquals(
          List.of("Bearer realm=\"bloomgate\""), answer.headers().getValues("WWW-Authenticate"));
    } else if (code.equals("FORBIDDEN") && !operation.method().equals("HEAD")) {
      var detail = Api.tree(answer.asString()).path("detail").asText();
      assertTrue(
          detail.contains("needs the role " + operation.role())
              || detail.contains("limited to names that begin with " + PREFIX),
          detail);
    }
  }

  private static void assertLetIn(Response answer) {
    assertEquals(List.of("no-store"), answer.headers().getValues("Cache-Control"));
    assertFalse(answer.statusCode() == 401, answer.asString());
    // The gate answers "no" with a 403 of its own.
    assertFalse(answer.asString().contains("FORBIDDEN"), answer.asString());
    assertTrue(answer.statusCode() < 500, answer.asString());
  }
}
