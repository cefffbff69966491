package io.github.bloomgate.http.connection;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.threads.OwnContext;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ServerHttpRequest;

/**
 * Collects a body that is held as a whole, before the framework would. Takes memory as its bytes
 * arrive, and pauses the client while there is none. The request continues when the body is
 * complete, so that a slow client does not block a thread. Used on the connection's event loop.
 */
public final class ArrivingBody implements ServerHttpRequest.ReadCallback {

  private static final int SMALLEST_BLOCK = 1 << 13;

  /**
   * Larger bodies are parsed on a worker thread, because they would block the event loop too long.
   */
  private static final int LARGEST_BLOCK = 1 << 17;

  /**
   * Text rarely compresses to less than a tenth; larger content takes more memory as it is
   * decompressed.
   */
  private static final int USUAL_RATIO = 10;

  private final RoutingContext context;
  private final ResteasyReactiveRequestContext request;
  private final OwnContext loop = OwnContext.current();
  private final BodyMemory memory;
  private final long limit;
  private final OptionalLong declared;
  private final boolean isPacked;

  /** All but the last are full, even if the client sends single bytes. */
  private final ArrayDeque<ByteBuffer> blocks = new ArrayDeque<>();

  private long received;

  /** Whether collecting has ended; the request may then be on another thread. */
  private volatile boolean isOver;

  /**
   * @param limit the most bytes, also after decompression; 0 for an operation that takes no body
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
    this.declared = BodyLimit.declaredLength(context);
    this.isPacked = context.request().getHeader(HttpHeaders.CONTENT_ENCODING) != null;
  }

  public static boolean isExpected(HttpServerRequest request) {
    return !request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD);
  }

  /** Suspends the request until its body has arrived. */
  public void begin() {
    request.registerCompletionCallback(done -> memory.giveBack());
    request.suspend();
    loop.run(this::receive);
  }

  private void receive() {
    RequestEnd.then(context, this::drop);
    if (isOver) {
      return;
    }
    // A reset request looks ended before it is over, but not here on the event loop.
    if (context.request().isEnded()) {
      isOver = true;
      request.resume();
    } else {
      request.serverRequest().setReadListener(this);
      BodyFlow.receive(context);
    }
  }

  @Override
  public void data(ByteBuffer bytes) {
    if (isOver) {
      return;
    }
    received += bytes.remaining();
    if (received > limit) {
      fail(limit == 0 ? RequestErrors.unexpectedBody() : RequestErrors.bodyTooLong(limit));
    } else {
      put(bytes);
    }
  }

  private void put(ByteBuffer bytes) {
    fill(bytes);
    if (bytes.hasRemaining()) {
      var size = blockSize(bytes.remaining());
      request.serverRequest().pauseRequestInput();
      BodyFlow.pause(context);
      memory.awaitBytes(
          size,
          whenTaken(
              () -> {
                blocks.add(ByteBuffer.allocate(size));
                fill(bytes);
                request.serverRequest().resumeRequestInput();
                BodyFlow.receive(context);
              }));
    }
  }

  private void fill(ByteBuffer bytes) {
    if (!blocks.isEmpty()) {
      var last = blocks.getLast();
      var fitting = bytes.slice();
      fitting.limit(Math.min(last.remaining(), fitting.limit()));
      bytes.position(bytes.position() + fitting.limit());
      last.put(fitting);
    }
  }

  /**
   * Proportional to the bytes received so far, within limits, so that a new body takes little
   * memory.
   */
  private int blockSize(int needed) {
    var doubled = Math.max(SMALLEST_BLOCK, Math.min(LARGEST_BLOCK, received));
    var left = declared.orElse(Long.MAX_VALUE) - received + needed;
    return (int) Math.max(needed, Math.min(doubled, left));
  }

  @Override
  public void done() {
    if (isOver) {
      return;
    }
    var length = isPacked ? Math.min(limit, received * USUAL_RATIO) : received;
    try {
      memory.awaitParsing(length, whenTaken(this::goOn));
    } catch (BloomException noRoom) {
      fail(noRoom);
    }
  }

  private void goOn() {
    isOver = true;
    blocks.forEach(ByteBuffer::flip);
    request.setInputStream(new HeldBody(blocks, memory));
    if (isPacked || received > LARGEST_BLOCK) {
      request.resume(OwnContext.workers());
    } else {
      request.resume();
    }
  }

  private Consumer<Boolean> whenTaken(Runnable next) {
    return admitted ->
        loop.run(
            () -> {
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
    drop();
    request.serverRequest().resumeRequestInput();
    request.resume(refusal);
  }

  /** Drops a body that is not complete, for example when the client has left. */
  private void drop() {
    if (!isOver) {
      isOver = true;
      blocks.clear();
      memory.giveBack();
    }
  }
}
