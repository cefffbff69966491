package io.github.bloomgate.http.door;

import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.problem.BodyLimit;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.Optional;

/** Refuses parameters, bodies and preconditions that an operation does not take. */
final class StrictRequest {

  /** Refused for changes, which must not ignore them. */
  private static final List<String> PRECONDITIONS =
      List.of(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH, HttpHeaders.IF_UNMODIFIED_SINCE);

  private StrictRequest() {}

  static Optional<BloomException> refusal(RoutingContext context) {
    return ApiRequest.of(context).flatMap(request -> refusal(context, request));
  }

  private static Optional<BloomException> refusal(RoutingContext context, ApiRequest request) {
    var ofQuery = request.readQuery(context.request().query());
    if (ofQuery.isPresent()) {
      return ofQuery;
    }
    if (!request.takesBody() && BodyLimit.hasBody(context)) {
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
