package io.github.bloomgate.http.request;

import io.github.bloomgate.http.problem.MediaTypes;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Judges media types where a path takes several: the framework then chooses the method by the type
 * of the body alone, fails on one that is malformed, and runs the method of a client that does not
 * accept its answer. {@link AcceptedTypes} has read the Accept header before.
 */
public final class StrictMediaTypes {

  private final MediaTypes types;

  public StrictMediaTypes(MediaTypes types) {
    this.types = types;
  }

  /**
   * Lets a request pass if its media types make sense; what answers JSON to JSON is decided here.
   *
   * @throws BloomException UNSUPPORTED_FORMAT, NOT_ACCEPTABLE
   */
  @ServerRequestFilter(preMatching = true)
  public void check(RoutingContext context, ContainerRequestContext request) {
    if (!AcceptedTypes.isApi(context)) {
      // Whatever else there is has no JSON operation, and is not found.
      return;
    }
    if (takesSeveral(request) && request.getHeaderString(HttpHeaders.CONTENT_TYPE) == null) {
      throw types.unsupported(context);
    }
    if (isJson(context, request) && !acceptsJson(request)) {
      throw MediaTypes.notAcceptable(context, List.of(MediaType.APPLICATION_JSON));
    }
  }

  /** Whether the body may be JSON or lines: without a type either method would fit. */
  private static boolean takesSeveral(ContainerRequestContext request) {
    var path = request.getUriInfo().getPath();
    return request.getMethod().equals(HttpMethod.POST)
        && (path.endsWith("/add") || path.endsWith("/test") || path.endsWith("/remove"));
  }

  private boolean isJson(RoutingContext context, ContainerRequestContext request) {
    try {
      var type = request.getMediaType();
      return type != null && MediaType.APPLICATION_JSON_TYPE.isCompatible(type);
    } catch (IllegalArgumentException malformed) {
      throw types.unsupported(context);
    }
  }

  private static boolean acceptsJson(ContainerRequestContext request) {
    var accept = request.getHeaderString(HttpHeaders.ACCEPT);
    return accept == null || accept.contains(MediaType.APPLICATION_JSON);
  }
}
