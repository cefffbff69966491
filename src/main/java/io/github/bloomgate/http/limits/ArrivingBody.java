package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.connection.BodyFlow;
import io.github.bloomgate.http.connection.RequestEnd;
import io.github.bloomgate.http.problem.BodyLimit;
import io.github.bloomgate.http.problem.BodyMemory;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.threads.OwnContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ServerHttpRequest;

/**
 * Collects a body that is held as a whole, before the framework would. Takes memory as its bytes
 * arrive, and pauses the client while there is none. The request continues when the body is
 * complete, so that a slow client does not block a thread. Used on the connection's event loop.
 */
public final class ArrivingBody implements ServerHttpRequest.ReadCallback {

  private static final int SMALLEST_ROOM = 1 << 13;

  /**
   * Larger bodies are parsed on a worker thread, because they would block the event loop too long.
   */
  private static final int PARSED_ON_EVENT_LOOP = 1 << 17;

  /**
   * Text rarely compresses to less than a tenth; larger content takes more memory as it is
   * decompressed.
   */
  private static final int USUAL_RATIO = 10;

  private final RoutingContext context;
  private final ResteasyReactiveRequestContext request;
  private final Context loop = Vertx.currentContext();
  private final BodyMemory memory;
  private final long limit;
  private final boolean isPacked;

  /** The most bytes: as many as the client has declared, or the limit. */
  private final long most;

  /** Memory is taken for its length. */
  private byte[] room = {};

  private int received;

  /** Whether collecting has ended; the request may then be on another thread. */
  private volatile boolean isOver;

  /**
   * @param limit the most bytes, also after decompression
   */
  public ArrivingBody(
      RoutingContext context,
      ResteasyReactiveRequestContext request,
      BodyMemory memory,
      long limit) {
    this.context = context;
    this.request = request;
    this.memory = memory;
    this.limit = limit;
    this.most = BodyLimit.declaredLength(context).orElse(limit);
    this.isPacked = context.request().getHeader(HttpHeaders.CONTENT_ENCODING) != null;
  }

  /** Whether a request has a body to collect. */
  public static boolean isExpected(HttpServerRequest request) {
    return !request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD)
        && !request.isEnded()
        && !BodyLimit.isStream(request);
  }

  /** Suspends the request until its body has arrived. */
  public void begin() {
    request.registerCompletionCallback(done -> memory.giveBack());
    request.suspend();
    if (Context.isOnEventLoopThread()) {
      receive();
    } else {
      loop.runOnContext(ignored -> receive());
    }
  }

  private void receive() {
    RequestEnd.then(context, this::clientLeft);
    if (!isOver) {
      request.serverRequest().setReadListener(this);
      BodyFlow.receive(context);
    }
  }

  @Override
  public void data(ByteBuffer bytes) {
    if (isOver) {
      return;
    }
    var length = (long) received + bytes.remaining();
    if (length > limit) {
      fail(RequestErrors.bodyTooLong(limit));
    } else if (length <= room.length) {
      append(bytes);
    } else {
      // Twice as much, so that a new body takes little memory and a long one is copied rarely.
      var doubled = Math.max(SMALLEST_ROOM, 2L * room.length);
      enlarge((int) Math.max(length, Math.min(doubled, most)), bytes);
    }
  }

  private void enlarge(int size, ByteBuffer bytes) {
    var more = size - room.length;
    Runnable next =
        () -> {
          room = Arrays.copyOf(room, size);
          append(bytes);
        };
    if (memory.takeBytes(more)) {
      next.run();
      return;
    }
    request.serverRequest().pauseRequestInput();
    memory.awaitBytes(
        more,
        whenTaken(
            () -> {
              next.run();
              request.serverRequest().resumeRequestInput();
            }));
  }

  private void append(ByteBuffer bytes) {
    var count = bytes.remaining();
    bytes.get(room, received, count);
    received += count;
  }

  @Override
  public void done() {
    if (isOver) {
      return;
    }
    var length = isPacked ? Math.min(limit, (long) received * USUAL_RATIO) : received;
    if (memory.takeParsing(length)) {
      goOn();
    } else {
      memory.awaitParsing(length, whenTaken(this::goOn));
    }
  }

  private void goOn() {
    isOver = true;
    request.setInputStream(new HeldBody(room, received, memory));
    room = null;
    if (isPacked || received > PARSED_ON_EVENT_LOOP) {
      request.resume(OwnContext.workers());
    } else {
      request.resume();
    }
  }

  private Consumer<Boolean> whenTaken(Runnable next) {
    return admitted ->
        loop.runOnContext(
            ignored -> {
              if (isOver) {
                return;
              }
              if (admitted) {
                next.run();
              } else {
                fail(RequestErrors.overloaded());
              }
            });
  }

  private void fail(BloomException refusal) {
    isOver = true;
    room = null;
    memory.giveBack();
    request.serverRequest().resumeRequestInput();
    request.resume(refusal);
  }

  private void clientLeft() {
    if (!isOver) {
      isOver = true;
      room = null;
      memory.giveBack();
    }
  }
}
