package io.github.bloomgate.http.access;

import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Holds every operation on a filter to the names its key may use. Names elsewhere than in the path
 * are checked by the operation that reads them.
 */
@Singleton
class NameCheck {

  /** The parameter of every path that names a filter. */
  static final String PARAMETER = "name";

  private final Caller caller;

  NameCheck(Caller caller) {
    this.caller = caller;
  }

  /** Lets a request pass if its path names no filter, or one that the key may use. */
  @ServerRequestFilter
  void check(RoutingContext context, ContainerRequestContext request) {
    if (caller.scope(context).isAll()) {
      return;
    }
    var name = request.getUriInfo().getPathParameters().getFirst(PARAMETER);
    if (name != null) {
      caller.requireName(context, name);
    }
  }
}
