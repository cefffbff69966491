package io.github.bloomgate.api;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.RequestErrors;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Judges media types where a path takes several: the framework then chooses the method by the type
 * of the body alone, fails on one that is malformed, and runs the method of a client that does not
 * accept its answer.
 */
final class StrictMediaTypes {

  /**
   * Lets a request pass if its media types make sense; what answers JSON to JSON is decided here.
   *
   * @throws BloomException UNSUPPORTED_FORMAT, NOT_ACCEPTABLE
   */
  @ServerRequestFilter(preMatching = true)
  void check(ContainerRequestContext request) {
    if (isJson(request) && !acceptsJson(request)) {
      throw RequestErrors.notAcceptable();
    }
  }

  private static boolean isJson(ContainerRequestContext request) {
    try {
      var type = request.getMediaType();
      return type != null && MediaType.APPLICATION_JSON_TYPE.isCompatible(type);
    } catch (IllegalArgumentException malformed) {
      throw RequestErrors.unsupportedFormat();
    }
  }

  private static boolean acceptsJson(ContainerRequestContext request) {
    var accept = request.getHeaderString(HttpHeaders.ACCEPT);
    if (accept == null) {
      return true;
    }
    try {
      return Arrays.stream(accept.split(","))
          .filter(range -> range.contains("/"))
          .map(range -> MediaType.valueOf(range.strip()))
          .anyMatch(StrictMediaTypes::hasJson);
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  /**
   * Whether a range has JSON. Neither a lone star is a range nor a star with a subtype: the
   * framework takes them for ones that have all types before an operation, and none when it
   * answers.
   */
  private static boolean hasJson(MediaType range) {
    return MediaType.APPLICATION_JSON_TYPE.isCompatible(range)
        && (!range.isWildcardType() || range.isWildcardSubtype());
  }
}
