package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.order.RequestOrder;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.ws.rs.ext.Provider;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/** Has a body gathered, behind all that refuses a request by its head. */
@Provider
@Priority(RequestOrder.BODY_CHECK)
public class BodyCheck implements ResteasyReactiveContainerRequestFilter {

  private final BodyRoom room;

  BodyCheck(BodyRoom room) {
    this.room = room;
  }

  @Override
  public void filter(ResteasyReactiveContainerRequestContext chain) {
    var request = (ResteasyReactiveRequestContext) chain.getServerRequestContext();
    room.gather(request.unwrap(RoutingContext.class), request);
  }
}
