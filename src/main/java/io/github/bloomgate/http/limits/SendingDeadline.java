package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.problem.BodyLimit;
import io.micrometer.core.instrument.Counter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The deadlines of one HTTP/1.1 connection for sending and reading. Checked periodically, so that a
 * request needs no timer; a deadline is detected at most a quarter late. Used on the connection's
 * event loop.
 */
final class SendingDeadline extends ChannelInboundHandlerAdapter {

  private static final long LOOKS_PER_DEADLINE = 4;
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** What the client must do next. */
  private enum Awaited {
    /** Nothing, between two requests. */
    NOTHING,
    HEAD,
    BODY
  }

  private final long headNanos;
  private final long bodyNanos;
  private final long readNanos;
  private final Counter slowHeads;
  private final Counter slowBodies;
  private final Counter slowReaders;
  private final ReaderProgress reader = new ReaderProgress();

  private Awaited awaited = Awaited.NOTHING;

  /** Volatile because a response may end on any thread. */
  private volatile long since;

  /** Cleared between two requests, so that the request and its body can be collected. */
  private final AtomicReference<HttpServerRequest> request = new AtomicReference<>();

  private boolean headsLeft;
  private ScheduledFuture<?> checks;

  SendingDeadline(
      Duration headTimeout,
      Duration bodyTimeout,
      Duration readTimeout,
      Counter slowHeads,
      Counter slowBodies,
      Counter slowReaders) {
    this.headNanos = headTimeout.toNanos();
    this.bodyNanos = bodyTimeout.toNanos();
    this.readNanos = readTimeout.toNanos();
    this.slowHeads = slowHeads;
    this.slowBodies = slowBodies;
    this.slowReaders = slowReaders;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    var pause = Math.max(LEAST_PAUSE_NANOS, Math.min(headNanos, bodyNanos) / LOOKS_PER_DEADLINE);
    awaitHead();
    checks =
        context
            .executor()
            .scheduleWithFixedDelay(() -> check(context), pause, pause, TimeUnit.NANOSECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    checks.cancel(false);
    request.set(null);
    super.channelInactive(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
    if (awaited == Awaited.NOTHING || (awaited == Awaited.BODY && isDone())) {
      awaitHead();
    }
    super.channelRead(context, bytes);
  }

  private void awaitHead() {
    awaited = Awaited.HEAD;
    since = System.nanoTime();
    request.set(null);
  }

  private boolean isDone() {
    var current = request.get();
    return current == null || (current.response().ended() && current.isEnded());
  }

  /** The head of a request has arrived. */
  void headCame(HttpServerRequest came) {
    awaited = Awaited.BODY;
    since = System.nanoTime();
    request.set(came);
  }

  /**
   * A request was answered, or its client is gone. The rest of its body has the timeout of a body.
   * Thread-safe.
   */
  void answered(HttpServerRequest done) {
    if (done.isEnded()) {
      request.compareAndSet(done, null);
    } else if (request.get() == done) {
      since = System.nanoTime();
    }
  }

  /** HTTP/2: many requests share the connection, so heads are not watched. */
  void leaveHeads() {
    headsLeft = true;
    request.set(null);
  }

  private void check(ChannelHandlerContext context) {
    if (headsLeft) {
      return;
    }
    if (awaited == Awaited.BODY && isDone()) {
      awaited = Awaited.NOTHING;
      request.set(null);
    }
    var current = request.get();
    var passed = System.nanoTime() - since;
    if (awaited == Awaited.HEAD && passed > headNanos) {
      cut(context, slowHeads);
    } else if (awaited == Awaited.BODY
        && passed > bodyNanos
        && current != null
        && !current.isEnded()
        && (current.response().ended() || !BodyLimit.isStream(current))) {
      cut(context, slowBodies);
    } else if (current != null && reader.isStuck(current.response(), readNanos)) {
      cut(context, slowReaders);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nothing is left to do when it is closed
  private static void cut(ChannelHandlerContext context, Counter slow) {
    slow.increment();
    context.close();
  }
}
