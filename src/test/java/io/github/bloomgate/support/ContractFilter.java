package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.support.Contract.Operation;
import io.quarkus.test.junit.callback.QuarkusTestBeforeClassCallback;
import io.restassured.RestAssured;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Fails any test that gets a response from the API that the contract does not allow. */
public final class ContractFilter implements Filter, QuarkusTestBeforeClassCallback {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Contract CONTRACT = Contract.read();

  /** Headers of HTTP, of every response, or of every response if rates are limited. */
  private static final Set<String> OF_ANY =
      Set.of(
          "allow",
          "cache-control",
          "connection",
          "content-disposition",
          "content-length",
          "content-type",
          "date",
          "ratelimit",
          "ratelimit-policy",
          "transfer-encoding",
          "x-content-type-options",
          "x-request-id");

  @Override
  public void beforeClass(Class<?> testClass) {
    if (RestAssured.filters().stream().noneMatch(ContractFilter.class::isInstance)) {
      RestAssured.filters(this);
    }
  }

  @Override
  public Response filter(
      FilterableRequestSpecification request,
      FilterableResponseSpecification expected,
      FilterContext context) {
    var answer = SimplePaths.of(context.next(request, expected));
    if (request.getPort() != RestAssured.port) {
      // This port does not serve the API. For example, it may be the management port.
      return answer;
    }
    var path = URI.create(request.getURI()).getRawPath();
    if (isJsonOfTheService(path, answer) && !request.getMethod().equals("HEAD")) {
      assertTrue(
          answer.asString().endsWith("}\n"),
          path + " has no newline, behind which a terminal shows its prompt");
    }
    var operations = CONTRACT.at(path);
    var operation = operations.get(request.getMethod());
    if (operation != null) {
      var mistakes = mistakes(operation, answer);
      if (!mistakes.isEmpty()) {
        throw new AssertionError(
            "%s %s is answered as the contract does not say: %s\n%d %s\n%s"
                .formatted(
                    request.getMethod(),
                    path,
                    String.join("; ", mistakes),
                    answer.statusCode(),
                    answer.headers(),
                    answer.asString()));
      }
    } else if (!operations.isEmpty() && !request.getMethod().equals("OPTIONS")) {
      // The framework answers HEAD where there is GET.
      var isHead = request.getMethod().equals("HEAD") && operations.containsKey("GET");
      if (!isHead && answer.statusCode() != 405) {
        throw new AssertionError("%s %s is no operation".formatted(request.getMethod(), path));
      }
    }
    return answer;
  }

  /** The framework writes some JSON too, such as the health document. */
  private static boolean isJsonOfTheService(String path, Response answer) {
    var type = String.valueOf(answer.contentType());
    return type.startsWith("application/problem+json")
        || (type.startsWith("application/json") && path.startsWith("/v1/"));
  }

  private static List<String> mistakes(Operation operation, Response given) {
    var answer = operation.answers().get(given.statusCode());
    if (answer == null) {
      return List.of("its status");
    }
    var mistakes = new ArrayList<String>();
    given.headers().asList().stream()
        .map(header -> header.getName())
        .filter(name -> !OF_ANY.contains(name.toLowerCase(java.util.Locale.ROOT)))
        .filter(name -> answer.headers().stream().noneMatch(name::equalsIgnoreCase))
        .forEach(name -> mistakes.add("the header " + name));
    answer.required().stream()
        .filter(name -> !given.headers().hasHeaderWithName(name))
        .forEach(name -> mistakes.add("no header " + name));
    if (operation.method().equals("HEAD")) {
      return mistakes;
    }
    var type = given.contentType() == null ? "" : given.contentType().split(";")[0];
    if (type.isEmpty()) {
      if (!answer.schemas().isEmpty() && !operation.isNo(given.statusCode())) {
        mistakes.add("no body");
      }
      return mistakes;
    }
    var schema = answer.schemas().get(type);
    if (schema == null) {
      mistakes.add("the media type " + type);
    } else if (type.endsWith("json") && !type.endsWith("ndjson")) {
      try {
        var body = JSON.readTree(given.asString());
        mistakes.addAll(
            body.isMissingNode() ? List.of("no body") : CONTRACT.mistakes(schema, body));
      } catch (JsonProcessingException broken) {
        mistakes.add("no JSON");
      }
    }
    return mistakes;
  }
}
