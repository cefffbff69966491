package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.problem.BodyLimit;
import io.github.bloomgate.http.problem.BodyMemory;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * Takes the memory of a body that is held as a whole before the framework reads any of it, for a
 * client that may do what it asks for. Until there is room the client cannot send.
 *
 * <p>Its scope puts off its making: the framework makes {@link BodyCheck} before there is a
 * configuration.
 */
@ApplicationScoped
public class BodyRoom {

  /** The property of a request under which its {@link BodyMemory} is found. */
  public static final String PROPERTY = BodyMemory.class.getName();

  /** As much of a body the framework holds before anybody reads it. */
  private static final int UNKNOWN_LENGTH = 1 << 17;

  /** Text seldom shrinks to less than a tenth; what unpacks to more asks for more as it does. */
  private static final int USUAL_RATIO = 10;

  private final MemoryBudget memory;
  private final BodyLimit limit;

  @Inject
  BodyRoom(MemoryBudget memory, BodyLimit limit) {
    this.memory = memory;
    this.limit = limit;
  }

  /** Takes the memory of a request's body, if it has one; the request waits until that is done. */
  void takeRoom(
      RoutingContext context,
      ResteasyReactiveRequestContext request,
      ResteasyReactiveContainerRequestContext chain) {
    var http = context.request();
    var length = lengthOf(http);
    if (length == 0) {
      return;
    }
    var body = new BodyMemory(memory, Math.min(length, limit.bytes()));
    request.setProperty(PROPERTY, body);
    request.registerCompletionCallback(done -> body.giveBack());
    if (memory.take(Use.BODIES, body.bytes())) {
      begin(body, context);
    } else {
      await(body, context, chain);
    }
  }

  private void await(
      BodyMemory body, RoutingContext context, ResteasyReactiveContainerRequestContext chain) {
    var loop = Vertx.currentContext();
    chain.suspend();
    memory.await(
        Use.BODIES,
        body.bytes(),
        admitted ->
            loop.runOnContext(
                ignored -> {
                  if (admitted) {
                    begin(body, context);
                    chain.resume();
                  } else {
                    chain.resume(RequestErrors.overloaded());
                  }
                }));
  }

  private static void begin(BodyMemory body, RoutingContext context) {
    body.taken();
    context.addEndHandler(end -> body.clientLeft());
    // A client that went before is told to no handler.
    if (context.response().closed()) {
      body.clientLeft();
    }
  }

  /** How long a body is, as far as its head tells; 0 if there is none that is held as a whole. */
  private static long lengthOf(HttpServerRequest request) {
    if (request.method().equals(HttpMethod.GET)
        || request.method().equals(HttpMethod.HEAD)
        || request.isEnded()
        || BodyLimit.isStream(request)) {
      return 0;
    }
    var declared = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    var length = declared == null ? UNKNOWN_LENGTH : Long.parseLong(declared);
    return request.getHeader(HttpHeaders.CONTENT_ENCODING) == null ? length : length * USUAL_RATIO;
  }
}
