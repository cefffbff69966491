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
 * Gathers a body that is held as a whole, for a client that may do what it asks for, before the
 * framework would.
 */
@Singleton
public class BodyRoom {

  /** The property of a request under which its {@link BodyMemory} is found. */
  public static final String PROPERTY = BodyMemory.class.getName();

  private final MemoryBudget memory;
  private final BodyLimit limit;
  private final Caller caller;

  @Inject
  BodyRoom(MemoryBudget memory, BodyLimit limit, Caller caller) {
    this.memory = memory;
    this.limit = limit;
    this.caller = caller;
  }

  /** Lets the body of a request come, if it has one that is held; the request waits for its end. */
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
    request.setProperty(PROPERTY, held);
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
    // A client that went before is told to no handler.
    if (context.response().closed()) {
      body.clientLeft();
    } else {
      request.serverRequest().setReadListener(body);
      BodyFlow.receive(context);
    }
  }
}
