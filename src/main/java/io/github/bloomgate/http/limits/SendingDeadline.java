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
 * How long the client of one connection may take to send, and to read on. Looked at now and then,
 * so that a request costs no timer; a deadline is noticed late by a quarter at most. For the event
 * loop of the connection.
 */
final class SendingDeadline extends ChannelInboundHandlerAdapter {

  private static final long LOOKS_PER_DEADLINE = 4;
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** What is awaited of the client. */
  private enum Awaited {
    /** Nothing: it may be silent between two requests. */
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

  /** A response may end on any thread. */
  private volatile long since;

  /** None between two requests: what a request holds, its body too, must not live as long. */
  private final AtomicReference<HttpServerRequest> request = new AtomicReference<>();

  private boolean headsLeft;
  private ScheduledFuture<?> looks;

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
    looks =
        context
            .executor()
            .scheduleWithFixedDelay(() -> look(context), pause, pause, TimeUnit.NANOSECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    looks.cancel(false);
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

  /** The head of a request is here. */
  void headCame(HttpServerRequest came) {
    awaited = Awaited.BODY;
    since = System.nanoTime();
    request.set(came);
  }

  /**
   * A request has its answer, or its client is gone. The rest of its body, a stream's too, may take
   * as long as a body. On any thread.
   */
  void answered(HttpServerRequest done) {
    if (done.isEnded()) {
      request.compareAndSet(done, null);
    } else if (request.get() == done) {
      since = System.nanoTime();
    }
  }

  /** Many requests share the connection, so that it is not seen whose head is under way. */
  void leaveHeads() {
    headsLeft = true;
    request.set(null);
  }

  private void look(ChannelHandlerContext context) {
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
