package io.github.bloomgate.http;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.RestResponse;

/** The response 201, which says where the new resource is. */
final class CreatedAnswer {

  private CreatedAnswer() {}

  /**
   * The {@code Location} is relative to the address of the request. An absolute one would need the
   * scheme, host and prefix by which clients reach a proxy, and the service may know none of them.
   *
   * @param path of the new resource, from the root of the service and without a leading slash
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
