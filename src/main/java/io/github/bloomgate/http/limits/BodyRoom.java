package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.problem.BodyLimit;
import io.github.bloomgate.http.problem.BodyMemory;
import io.github.bloomgate.memory.MemoryBudget;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * Collects a body that is held as a whole, for a client with permission, before the framework
 * would.
 */
@Singleton
public class BodyRoom {

  private final MemoryBudget memory;
  private final BodyLimit limit;
  private final Caller caller;

  @Inject
  BodyRoom(MemoryBudget memory, BodyLimit limit, Caller caller) {
    this.memory = memory;
    this.limit = limit;
    this.caller = caller;
  }

  /**
   * Starts to receive the body, if the request has one to hold, and makes the request wait for it.
   */
  public void gather(RoutingContext context, ResteasyReactiveRequestContext request) {
    var http = context.request();
    if (http.method().equals(HttpMethod.GET)
        || http.method().equals(HttpMethod.HEAD)
        || http.isEnded()
        || BodyLimit.isStream(http)) {
      return;
    }
    new ArrivingBody(
            context, request, new BodyMemory(memory, caller.client(context)), limit.bytes())
        .begin();
  }
}
