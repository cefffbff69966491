package io.github.bloomgate.http;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.RestResponse;

/** The response 201 with a {@code Location}. */
final class CreatedResponse {

  private CreatedResponse() {}

  /**
   * The {@code Location} is relative to the request's URL. An absolute one would need the scheme,
   * host and prefix of a proxy, which the service may not know.
   *
   * @param path of the new resource, from the root of the service, without a leading slash
   */
  static <T> RestResponse<T> of(T view, String path, RoutingContext context) {
    var toRoot = "../".repeat(slashes(context.request().path()) - 1);
    return RestResponse.ResponseBuilder.create(RestResponse.Status.CREATED, view)
        .header(HttpHeaders.LOCATION, toRoot + path)
        .build();
  }

  private static int slashes(String path) {
    return (int) path.chars().filter(c -> c == '/').count();
  }
}
