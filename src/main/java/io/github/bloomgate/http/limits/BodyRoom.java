package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.connection.BodyFlow;
import io.github.bloomgate.http.problem.BodyLimit;
import io.github.bloomgate.http.problem.BodyMemory;
import io.github.bloomgate.memory.MemoryBudget;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
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
    var declared = http.getHeader(HttpHeaders.CONTENT_LENGTH);
    var held = new BodyMemory(memory, caller.client(context));
    var loop = Vertx.currentContext();
    var body =
        new ArrivingBody(
            request,
            loop,
            held,
            limit.bytes(),
            declared == null ? -1 : Long.parseLong(declared),
            http.getHeader(HttpHeaders.CONTENT_ENCODING) != null);
    request.registerCompletionCallback(done -> held.giveBack());
    request.suspend();
    if (Context.isOnEventLoopThread()) {
      begin(body, context, request);
    } else {
      loop.runOnContext(ignored -> begin(body, context, request));
    }
  }

  private static void begin(
      ArrivingBody body, RoutingContext context, ResteasyReactiveRequestContext request) {
    context.addEndHandler(end -> body.clientLeft());
    // If the client has already disconnected, no handler is called.
    if (context.response().closed()) {
      body.clientLeft();
    } else {
      request.serverRequest().setReadListener(body);
      BodyFlow.receive(context);
    }
  }
}
