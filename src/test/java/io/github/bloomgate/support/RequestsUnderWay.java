package io.github.bloomgate.support;

import io.quarkus.vertx.http.runtime.filters.QuarkusRequestWrapper;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The requests that a stop of the service would wait for. */
@Singleton
public class RequestsUnderWay {

  /** Runs before all other handlers. */
  private static final int ORDER = -1_000_000;

  private final Map<QuarkusRequestWrapper, String> underWay = new ConcurrentHashMap<>();

  void register(@Observes Router router) {
    router.route().order(ORDER).handler(this::note);
  }

  private void note(RoutingContext context) {
    var request = QuarkusRequestWrapper.get(context.request());
    underWay.put(request, context.request().method() + " " + context.request().uri());
    request.addRequestDoneHandler(done -> underWay.remove(request));
    context.next();
  }

  /** Method and URI of each request. */
  public String description() {
    return String.join("\n", underWay.values());
  }
}
