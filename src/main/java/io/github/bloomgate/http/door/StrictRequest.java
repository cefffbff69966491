package io.github.bloomgate.http.door;

import io.github.bloomgate.http.problem.BodyLimit;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.StrictQuery;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * Refuses parameters that are not in the operation's {@link QueryNames}, and a body unless it
 * {@link Consumes} one, because ignoring them would surprise the client.
 */
@Singleton
class StrictRequest {

  /** Refused for changes, which must not ignore them. */
  private static final List<String> PRECONDITIONS =
      List.of(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH, HttpHeaders.IF_UNMODIFIED_SINCE);

  private final Map<Method, Taken> operations = new ConcurrentHashMap<>();

  /** The parameters and body that an operation accepts. */
  private record Taken(Set<String> once, Set<String> repeated, boolean body) {

    static Taken by(Method operation) {
      var names = operation.getAnnotation(QueryNames.class);
      return new Taken(
          names == null ? Set.of() : Set.of(names.value()),
          names == null ? Set.of() : Set.of(names.repeated()),
          operation.isAnnotationPresent(Consumes.class)
              || operation.getDeclaringClass().isAnnotationPresent(Consumes.class));
    }
  }

  Optional<BloomException> refusal(RoutingContext context, ResteasyReactiveRequestContext request) {
    var resource = request.getResteasyReactiveResourceInfo();
    var operation = resource == null ? null : resource.getMethod();
    if (operation == null) {
      return Optional.empty();
    }
    var taken = operations.computeIfAbsent(operation, Taken::by);
    var ofQuery = StrictQuery.read(context, taken.once, taken.repeated);
    if (ofQuery.isPresent()) {
      return ofQuery;
    }
    if (!taken.body && BodyLimit.hasBody(context)) {
      return Optional.of(
          RequestErrors.invalid(
              "The request has a body, but this operation takes none. Nothing was done; leave it out."));
    }
    return precondition(context.request());
  }

  private static Optional<BloomException> precondition(HttpServerRequest request) {
    if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
      return Optional.empty();
    }
    for (var header : PRECONDITIONS) {
      if (request.headers().contains(header)) {
        return Optional.of(
            RequestErrors.invalid(
                "The request has the header %s, which only GET and HEAD support here. Nothing was done; leave it out."
                    .formatted(header)));
      }
    }
    return Optional.empty();
  }
}
