package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.problem.BodyLimit;
import io.micrometer.core.instrument.Counter;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The deadlines of an HTTP/2 connection: for each of its streams, and for the time without any.
 * Checked periodically, so that a request needs no timer.
 */
final class Http2Deadlines {

  private static final long LOOKS_PER_DEADLINE = 4;

  private final ConnectionBase connection;
  private final long bodyNanos;
  private final long idleNanos;
  private final Counter slowBodies;
  private final Counter slowReaders;

  /** A request ends on any thread. */
  private final Map<HttpServerRequest, Progress> open = new ConcurrentHashMap<>();

  private volatile long lastUse = System.nanoTime();

  /** A request after its head has arrived. */
  private record Progress(long since, ReaderProgress reader) {}

  Http2Deadlines(
      ConnectionBase connection,
      Duration bodyTimeout,
      Duration idleTimeout,
      Counter slowBodies,
      Counter slowReaders) {
    this.connection = connection;
    this.bodyNanos = bodyTimeout.toNanos();
    this.idleNanos = idleTimeout.toNanos();
    this.slowBodies = slowBodies;
    this.slowReaders = slowReaders;
    var pause = Math.min(bodyNanos, idleNanos) / LOOKS_PER_DEADLINE;
    var channel = connection.channel();
    var checks =
        channel.eventLoop().scheduleWithFixedDelay(this::check, pause, pause, TimeUnit.NANOSECONDS);
    var unused = channel.closeFuture().addListener(closed -> checks.cancel(false));
  }

  void watch(RoutingContext context) {
    var request = context.request();
    open.put(request, new Progress(System.nanoTime(), new ReaderProgress()));
    context.addEndHandler(
        end -> {
          open.remove(request);
          lastUse = System.nanoTime();
        });
  }

  private void check() {
    open.forEach(this::check);
    // PINGs and incomplete heads do not count as use.
    if (open.isEmpty() && System.nanoTime() - lastUse > idleNanos) {
      var unused = connection.close();
    }
  }

  private void check(HttpServerRequest request, Progress progress) {
    if (!request.isEnded()
        && !BodyLimit.isStream(request)
        && System.nanoTime() - progress.since() > bodyNanos) {
      reset(request, slowBodies);
    } else if (progress.reader().isStuck(request.response(), idleNanos)) {
      reset(request, slowReaders);
    }
  }

  private void reset(HttpServerRequest request, Counter slow) {
    slow.increment();
    open.remove(request);
    lastUse = System.nanoTime();
    request.response().reset(Http2Error.CANCEL.code());
  }
}
