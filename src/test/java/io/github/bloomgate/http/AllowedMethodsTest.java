package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.support.Contract;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every path names its methods in the responses to OPTIONS and to another method. */
@QuarkusTest
class AllowedMethodsTest {

  @TestFactory
  Stream<DynamicTest> everyPathTellsItsMethods() throws IOException {
    return methodsByPath().entrySet().stream()
        .map(
            path ->
                dynamicTest(
                    path.getKey(),
                    () -> {
                      var url = path.getKey().replace("{name}", Api.newName());
                      var methods = String.join(", ", path.getValue());
                      given().options(url).then().statusCode(200).header("Allow", methods);
                      var refused = given().patch(url);
                      assertEquals(405, refused.statusCode());
                      assertEquals("METHOD_NOT_ALLOWED", refused.path("code"));
                      assertEquals(methods, refused.header("Allow"));
                    }));
  }

  /** The framework answers HEAD where there is GET. */
  private static Map<String, SortedSet<String>> methodsByPath() throws IOException {
    var paths = new TreeMap<String, SortedSet<String>>();
    for (var operation : Contract.read().operations()) {
      var methods = paths.computeIfAbsent(operation.path(), none -> new TreeSet<>());
      methods.add("OPTIONS");
      methods.add(operation.method());
      if (operation.method().equals("GET")) {
        methods.add("HEAD");
      }
    }
    return paths;
  }

  @Test
  void aPathThatIsNotThereHasNoMethods() {
    for (var path : new String[] {"/v1/filters/a/nothing", "/v1/nothing", "/v1/filters/a/add/b"}) {
      given().options(path).then().statusCode(404);
    }
  }
}
