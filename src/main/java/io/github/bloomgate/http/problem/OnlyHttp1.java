package io.github.bloomgate.http.problem;

import io.github.bloomgate.http.order.RequestOrder;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Takes the header {@code Connection} out of answers over HTTP/2, which has none: a client that
 * sees it must take the answer for malformed, and tells of a broken protocol instead.
 */
@Singleton
class OnlyHttp1 {

  void register(@Observes Filters filters) {
    filters.register(OnlyHttp1::check, RequestOrder.ONLY_HTTP_1);
  }

  private static void check(RoutingContext context) {
    if (context.request().version() == HttpVersion.HTTP_2) {
      context.addHeadersEndHandler(
          written -> context.response().headers().remove(HttpHeaders.CONNECTION));
    }
    context.next();
  }
}
