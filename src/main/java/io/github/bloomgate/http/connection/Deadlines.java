package io.github.bloomgate.http.connection;

import io.micrometer.core.instrument.Counter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The deadlines of one connection: for a head over HTTP/1.1, for each request, and for HTTP/2
 * without requests. Checked periodically, so that a request needs no timer; a deadline is detected
 * at most a quarter late. Used on the connection's event loop.
 */
final class Deadlines extends ChannelInboundHandlerAdapter {

  private static final long LOOKS_PER_DEADLINE = 4;
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Limits limits;

  /** One over HTTP/1.1; many over HTTP/2. They end on any thread. */
  private final Map<HttpServerRequest, Progress> open = new ConcurrentHashMap<>();

  private boolean isHttp2;
  private boolean awaitsHead = true;

  /** When the awaited head began, or the last request ended. */
  private volatile long since = System.nanoTime();

  private ScheduledFuture<?> checks;

  record Limits(
      long headNanos,
      long bodyNanos,
      long idleNanos,
      Counter slowHeads,
      Counter slowBodies,
      Counter slowReaders) {

    private long pauseNanos() {
      var shortest = Math.min(headNanos, Math.min(bodyNanos, idleNanos));
      return Math.max(LEAST_PAUSE_NANOS, shortest / LOOKS_PER_DEADLINE);
    }
  }

  Deadlines(Limits limits) {
    this.limits = limits;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    var pause = limits.pauseNanos();
    checks =
        context
            .executor()
            .scheduleWithFixedDelay(() -> check(context), pause, pause, TimeUnit.NANOSECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    checks.cancel(false);
    open.clear();
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    if (!isHttp2 && !awaitsHead) {
      open.keySet().removeIf(Deadlines::isDone);
      awaitsHead = open.isEmpty();
      since = System.nanoTime();
    }
    context.fireChannelRead(bytes);
  }

  private static boolean isDone(HttpServerRequest request) {
    return request.response().ended() && request.isEnded();
  }

  /** Starts the deadlines of a request whose head has arrived. */
  void watch(RoutingContext context) {
    var request = context.request();
    isHttp2 = request.version() == HttpVersion.HTTP_2;
    awaitsHead = false;
    var progress = new Progress();
    open.put(request, progress);
    context.addEndHandler(
        end -> {
          since = System.nanoTime();
          progress.since = since;
          if (isHttp2 || request.isEnded()) {
            open.remove(request);
          }
        });
  }

  private void check(ChannelHandlerContext context) {
    open.forEach((request, progress) -> check(context, request, progress));
    var passed = System.nanoTime() - since;
    if (awaitsHead && passed > limits.headNanos) {
      cut(context, limits.slowHeads);
    } else if (isHttp2 && open.isEmpty() && passed > limits.idleNanos) {
      // PINGs and incomplete heads do not count as use.
      var unused = context.channel().close();
    }
  }

  private void check(ChannelHandlerContext context, HttpServerRequest request, Progress progress) {
    var response = request.response();
    var awaitsBody = !request.isEnded() && (response.ended() || !BodyLimit.isStream(request));
    if (!isHttp2 && isDone(request)) {
      open.remove(request);
    } else if (awaitsBody && System.nanoTime() - progress.since > limits.bodyNanos) {
      cut(context, request, limits.slowBodies);
    } else if (progress.isStuck(response, limits.idleNanos)) {
      cut(context, request, limits.slowReaders);
    }
  }

  private void cut(ChannelHandlerContext context, HttpServerRequest request, Counter slow) {
    if (!isHttp2) {
      cut(context, slow);
      return;
    }
    slow.increment();
    open.remove(request);
    since = System.nanoTime();
    request.response().reset(Http2Error.CANCEL.code());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nothing is left to do when it is closed
  private static void cut(ChannelHandlerContext context, Counter slow) {
    slow.increment();
    context.close();
  }

  /** A request, and whether its client still reads the response. */
  private static final class Progress {

    private volatile long since = System.nanoTime();
    private long readSince = since;
    private long written;

    /**
     * Whether the client has read nothing for too long. The idle time of the connection is not
     * enough, because a client can send a byte now and then, or an HTTP/2 PING.
     */
    boolean isStuck(HttpServerResponse response, long nanos) {
      var now = System.nanoTime();
      var all = response.bytesWritten();
      if (all != written || !isFull(response)) {
        written = all;
        readSince = now;
      }
      return now - readSince > nanos;
    }

    private static boolean isFull(HttpServerResponse response) {
      try {
        return !response.ended() && response.writeQueueFull();
      } catch (IllegalStateException ended) {
        // Just closed by another thread.
        return false;
      }
    }
  }
}
