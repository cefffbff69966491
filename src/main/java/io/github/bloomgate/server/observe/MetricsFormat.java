package io.github.bloomgate.server.observe;

import io.github.bloomgate.http.order.RequestOrder;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Sends the Prometheus text format to clients that accept any format. The framework would send
 * OpenMetrics, whose escapes tools such as promtool do not understand.
 */
@Singleton
class MetricsFormat {

  private static final String PATH = "/q/metrics";

  void register(@Observes Filters filters) {
    filters.register(MetricsFormat::choose, RequestOrder.METRICS_FORMAT);
  }

  private static void choose(RoutingContext context) {
    var path = context.request().path();
    if (path != null && path.startsWith(PATH)) {
      var headers = context.request().headers();
      var accept = String.join(",", headers.getAll(HttpHeaders.ACCEPT));
      if (accept.isEmpty() || (accept.contains("*/*") && !accept.contains("openmetrics"))) {
        headers.set(HttpHeaders.ACCEPT, "text/plain");
      }
    }
    context.next();
  }
}
