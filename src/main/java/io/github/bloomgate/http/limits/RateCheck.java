package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.model.FilterName;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Counts every operation that its key may do, before its body is looked at. */
@Singleton
class RateCheck {

  private static final String NAME = "name";

  private final RateLimits limits;

  RateCheck(RateLimits limits) {
    this.limits = limits;
  }

  /** Behind the check of names: a client that may not use a filter takes nothing of its rate. */
  @ServerRequestFilter(priority = RequestOrder.RATES)
  void check(RoutingContext context, ContainerRequestContext request) {
    if (!limits.areOnRequests()) {
      return;
    }
    var name = request.getUriInfo().getPathParameters().getFirst(NAME);
    var isName = name != null && name.length() <= FilterName.MAX_LENGTH;
    limits.takeRequest(context, isName ? name : null);
  }
}
