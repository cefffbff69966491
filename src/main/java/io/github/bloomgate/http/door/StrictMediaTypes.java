package io.github.bloomgate.http.door;

import io.github.bloomgate.http.problem.MediaTypes;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;

/**
 * Judges media types where a path takes several: the framework then chooses the method by the type
 * of the body alone, fails on one that is malformed, and runs the method of a client that does not
 * accept its answer. {@link AcceptedTypes} has read the Accept header before.
 */
@Singleton
class StrictMediaTypes {

  private final MediaTypes types;

  StrictMediaTypes(MediaTypes types) {
    this.types = types;
  }

  /**
   * Lets a request pass if its media types make sense; what answers JSON to JSON is decided here.
   *
   * @return UNSUPPORTED_FORMAT, NOT_ACCEPTABLE
   */
  Optional<BloomException> refusal(RoutingContext context, ContainerRequestContext request) {
    if (!AcceptedTypes.isApi(context)) {
      // Whatever else there is has no JSON operation, and is not found.
      return Optional.empty();
    }
    if (takesSeveral(request) && request.getHeaderString(HttpHeaders.CONTENT_TYPE) == null) {
      return Optional.of(types.unsupported(context));
    }
    try {
      return isJson(request) && !acceptsJson(request)
          ? Optional.of(MediaTypes.notAcceptable(context, List.of(MediaType.APPLICATION_JSON)))
          : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.of(types.unsupported(context));
    }
  }

  /** Whether the body may be JSON or lines: without a type either method would fit. */
  private static boolean takesSeveral(ContainerRequestContext request) {
    var path = request.getUriInfo().getPath();
    return request.getMethod().equals(HttpMethod.POST)
        && (path.endsWith("/add") || path.endsWith("/test") || path.endsWith("/remove"));
  }

  private static boolean isJson(ContainerRequestContext request) {
    var type = request.getMediaType();
    return type != null && MediaType.APPLICATION_JSON_TYPE.isCompatible(type);
  }

  private static boolean acceptsJson(ContainerRequestContext request) {
    var accept = request.getHeaderString(HttpHeaders.ACCEPT);
    return accept == null || accept.contains(MediaType.APPLICATION_JSON);
  }
}
