package io.github.bloomgate.http.openapi;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;

/**
 * Adds to every operation of the contract the errors that follow from its method, path and body,
 * when the service is built. An operation that says something of its own of a status keeps that.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public class ErrorAnswers implements OASFilter {

  /** What can happen to a request whatever it asks for. */
  private static final Set<ErrorAnswer> OF_ALL =
      EnumSet.of(
          ErrorAnswer.UNAUTHENTICATED,
          ErrorAnswer.FORBIDDEN,
          ErrorAnswer.RATE_LIMITED,
          ErrorAnswer.INTERNAL,
          ErrorAnswer.UNAVAILABLE);

  /** The description of the 400 that the framework adds to whatever takes a body. */
  private static final String OF_THE_FRAMEWORK = "Bad Request";

  @Override
  public void filterOpenAPI(OpenAPI contract) {
    Arrays.stream(ErrorAnswer.values())
        .sorted(Comparator.comparing(ErrorAnswer::component))
        .forEach(
            error -> contract.getComponents().addResponse(error.component(), error.response()));
    contract
        .getPaths()
        .getPathItems()
        .forEach(
            (path, item) ->
                item.getOperations()
                    .forEach((method, operation) -> addErrors(path, method, operation)));
  }

  private static void addErrors(String path, HttpMethod method, Operation operation) {
    // In the order of the statuses: clients that a generator has made ask for the first media type.
    var own = new TreeMap<>(operation.getResponses().getAPIResponses());
    own.values().removeIf(response -> OF_THE_FRAMEWORK.equals(response.getDescription()));
    if (method == HttpMethod.HEAD) {
      own.values().forEach(response -> response.setContent(null));
    }
    for (var error : errors(path, method, operation)) {
      own.putIfAbsent(error.status(), error.reference());
    }
    operation.getResponses().setAPIResponses(own);
  }

  private static List<ErrorAnswer> errors(String path, HttpMethod method, Operation operation) {
    var errors = new ArrayList<ErrorAnswer>(OF_ALL);
    errors.add(ErrorAnswer.INVALID_REQUEST);
    if (path.equals("/v1/sizing")) {
      // It asks no Redis.
      errors.remove(ErrorAnswer.UNAVAILABLE);
    }
    if (path.contains("{name}")) {
      if (!(path.endsWith("{name}") && method == HttpMethod.PUT)) {
        errors.add(notFound(path, method));
      }
      errors.add(ErrorAnswer.CONFLICT);
      if (!path.endsWith("/source") || method == HttpMethod.GET) {
        errors.add(ErrorAnswer.DAMAGED);
      }
    }
    var body = operation.getRequestBody();
    if (body != null) {
      errors.add(ErrorAnswer.UNSUPPORTED_FORMAT);
      if (body.getRef() != null || body.getContent().hasMediaType("application/json")) {
        errors.add(ErrorAnswer.TOO_LARGE);
      }
    }
    if (changes(path, method)) {
      errors.add(ErrorAnswer.OUTCOME_UNKNOWN);
      if (method != HttpMethod.DELETE) {
        errors.add(ErrorAnswer.STORE_FULL);
      }
    }
    return errors;
  }

  private static boolean changes(String path, HttpMethod method) {
    return method != HttpMethod.GET
        && method != HttpMethod.HEAD
        && !path.endsWith("/test")
        && !path.endsWith("/count");
  }

  /** What of a filter is missing, if not the filter. */
  private static ErrorAnswer notFound(String path, HttpMethod method) {
    if (path.endsWith("/rebuild/run") || (path.endsWith("/source") && method != HttpMethod.PUT)) {
      return ErrorAnswer.SOURCE_NOT_FOUND;
    }
    var needsRebuild =
        path.contains("/rebuild") || path.endsWith("/elements") || path.endsWith("/import");
    return needsRebuild ? ErrorAnswer.REBUILD_NOT_FOUND : ErrorAnswer.FILTER_NOT_FOUND;
  }
}
