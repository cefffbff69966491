package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Contract.Operation;
import io.github.bloomgate.support.Contract.Parameter;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Sends the same requests as "Execute" in Swagger UI with the default values, in the order of the
 * page, to a service without filters.
 */
@QuarkusTest
class SwaggerPageTest {

  /** An earlier operation has committed the rebuild, so another must be opened to abort. */
  private static final Map<String, String> NEEDED_AGAIN = Map.of("abortRebuild", "openRebuild");

  /**
   * A click on "Execute", as the descriptions on the page advise.
   *
   * @param choice the example to choose for the name and the body; empty for what is filled in
   */
  record Step(Operation operation, String choice) {

    String value(Parameter parameter) {
      return parameter.choices().getOrDefault(choice, parameter.example());
    }

    /** The text in the field for the body. JSON may be indented. */
    String body(String type) {
      var body = operation.bodies().get(type);
      return type.equals("application/x-ndjson")
          ? TextNode.valueOf(body.example()).toString()
          : body.choices().getOrDefault(choice, body.example());
    }

    @Override
    public String toString() {
      return (operation.id() + " " + choice).strip();
    }
  }

  /** Makes the names of the examples unique. */
  private final String prefix = Api.newName() + ".";

  private byte[] exported = {};

  /**
   * The operations from top to bottom: in the order of the contract, but with deletions at the end
   * of each tag.
   */
  static List<Operation> operations(Contract contract) {
    var tags = contract.operations().stream().map(Operation::tag).distinct().toList();
    return contract.operations().stream()
        .sorted(
            Comparator.comparing((Operation operation) -> tags.indexOf(operation.tag()))
                .thenComparing(operation -> operation.method().equals("DELETE")))
        .toList();
  }

  /** From top to bottom, with the steps before that the page advises. */
  static List<Step> steps(Contract contract) {
    var operations = operations(contract);
    return operations.stream()
        .flatMap(
            operation ->
                Stream.concat(
                    operations.stream()
                        .filter(other -> other.id().equals(NEEDED_AGAIN.get(operation.id()))),
                    Stream.of(operation)))
        .flatMap(operation -> choices(operation).map(choice -> new Step(operation, choice)))
        .toList();
  }

  /** The names that have an example of the body, too. */
  private static Stream<String> choices(Operation operation) {
    var names =
        operation.parameters().stream()
            .flatMap(parameter -> parameter.choices().keySet().stream())
            .toList();
    return names.isEmpty() ? Stream.of("") : names.stream();
  }

  @Test
  void everyOperationOfThePageWorksOneAfterTheOther() {
    var failures = new ArrayList<String>();
    for (var step : steps(Contract.read())) {
      var operation = step.operation();
      var types =
          operation.bodies().isEmpty() ? List.of("") : List.copyOf(operation.bodies().keySet());
      for (var type : types) {
        var answer = execute(step, type);
        if (answer.statusCode() >= 300) {
          failures.add(step + " " + type + ": " + answer.statusCode() + " " + answer.asString());
        }
        if (operation.id().equals("exportFilter")) {
          exported = answer.asByteArray();
        } else if (operation.id().equals("runSource")) {
          awaitRun();
        }
      }
    }
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
  }

  /**
   * A run that continues after its response keeps a rebuild open, and the page opens another one
   * next.
   */
  private void awaitRun() {
    Awaitility.await()
        .untilAsserted(
            () -> SourceResourceTest.source(prefix + "users").body("lastRun", notNullValue()));
  }

  private Response execute(Step step, String type) {
    var operation = step.operation();
    var path = operation.path();
    var request = given();
    for (var parameter : operation.parameters()) {
      if (!parameter.isInQuery()) {
        path = path.replace("{" + parameter.name() + "}", prefix + step.value(parameter));
      } else if (parameter.name().equals("filter")) {
        request.queryParam(
            "filter", parameter.examples().stream().map(filter -> prefix + filter).toList());
      } else if (!parameter.example().isEmpty()) {
        request.queryParam(parameter.name(), parameter.example());
      }
    }
    if (!type.isEmpty()) {
      request = body(request, type, step.body(type));
    }
    return request.request(operation.method(), path);
  }

  private RequestSpecification body(RequestSpecification request, String type, String example) {
    return switch (type) {
      case "application/json" -> request.contentType(type).body(named(example));
      // The page has a button to choose a file, and another to save an export.
      case "application/octet-stream" -> request.contentType(type).body(exported);
      default -> request.spec(Api.lines(type, example));
    };
  }

  /** Prefixes the filter names of the examples. */
  private String named(String body) {
    return body.replace("\"users\"", "\"" + prefix + "users\"")
        .replace("\"sessions\"", "\"" + prefix + "sessions\"")
        .replace("\"users.backup\"", "\"" + prefix + "users.backup\"")
        .replace("\"customers\"", "\"" + prefix + "customers\"");
  }
}
