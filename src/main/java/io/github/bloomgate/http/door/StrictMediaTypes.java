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
 * Checks media types where a path accepts several: the framework would choose the method only by
 * the type of the body, fail on a malformed one, and run a method whose response the client does
 * not accept. {@link AcceptedTypes} has already read the Accept header.
 */
@Singleton
class StrictMediaTypes {

  private final MediaTypes types;

  StrictMediaTypes(MediaTypes types) {
    this.types = types;
  }

  /**
   * Checks the media types of a request.
   *
   * @return UNSUPPORTED_FORMAT, NOT_ACCEPTABLE, or empty
   */
  Optional<BloomException> refusal(RoutingContext context, ContainerRequestContext request) {
    if (!AcceptedTypes.isApi(context)) {
      // Other paths have no JSON operation and are not found.
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

  /** Whether the body may be JSON or lines, so that either method would match without a type. */
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
