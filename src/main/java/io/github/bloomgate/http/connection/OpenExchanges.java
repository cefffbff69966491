package io.github.bloomgate.http.connection;

import io.micrometer.core.instrument.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The requests of one connection, until their responses have been read, and their deadlines; also
 * those for a head over HTTP/1.1, and for a connection without requests. Checked periodically, so
 * that a request needs no timer; a deadline is detected at most a quarter late. Used on the
 * connection's event loop.
 */
final class OpenExchanges extends ChannelInboundHandlerAdapter {

  private static final long LOOKS_PER_DEADLINE = 4;
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Limits limits;
  private final ConnectionMemory memory;

  /** Over HTTP/1.1 the last one, and others whose responses have not been sent completely. */
  private final Set<Exchange> open = new HashSet<>();

  /** Those whose memory has yet to be given back. */
  private final Deque<Exchange> leaving = new ArrayDeque<>();

  private ChannelHandlerContext context;

  /** The request over HTTP/1.1 whose response is due. */
  private Exchange due;

  private final BegunHead head = new BegunHead();

  private boolean isProtocolKnown;

  /** Null over HTTP/1.1. */
  private Http2ConnectionHandler http2;

  private Http2Connection.PropertyKey exchangeOfStream;
  private boolean awaitsHead = true;

  /** When the awaited head began, or the last response was received. */
  private long since = System.nanoTime();

  private ScheduledFuture<?> checks;

  record Limits(
      int streams,
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

  OpenExchanges(Limits limits, ConnectionMemory memory) {
    this.limits = limits;
    this.memory = memory;
  }

  /** Whether there is memory for the connection. */
  boolean hasMemory() {
    return memory.take();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    var pause = limits.pauseNanos();
    checks =
        context.executor().scheduleWithFixedDelay(this::check, pause, pause, TimeUnit.NANOSECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    checks.cancel(false);
    open.forEach(Exchange::leave);
    open.clear();
    memory.close();
    inactive.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext reading, Object bytes) {
    // Otherwise a client with many connections would hold the memory of two requests for each.
    giveBackLeft();
    if (!isProtocolKnown) {
      head.add(((ByteBuf) bytes).readableBytes());
    }
    reading.fireChannelRead(bytes);
    findProtocol();
    if (http2 == null && context.channel().isActive()) {
      beginHead();
      if (!memory.holdForHead(head.bytes())) {
        limits.slowHeads.increment();
        close();
      }
    }
  }

  /** Awaits a head that has begun, but not while the client must read a response first. */
  private void beginHead() {
    if (!awaitsHead && head.bytes() > 0 && open.stream().allMatch(Exchange::isDone)) {
      awaitsHead = true;
      since = System.nanoTime();
    }
  }

  /** Adds a request whose head has arrived. */
  void watch(RoutingContext request) {
    var exchange = new Exchange(request, Optional.of(this));
    awaitsHead = false;
    memory.giveBackHead();
    open.add(exchange);
    findProtocol();
    request.addEndHandler(end -> later(() -> ended(exchange)));
    if (http2 == null) {
      due = exchange;
    } else {
      http2.connection().stream(exchange.stream()).setProperty(exchangeOfStream, exchange);
    }
  }

  /**
   * Runs a task on the event loop, without the locks of a response that ends. Memory that is given
   * back lets other requests continue, which take their own locks.
   */
  private void later(Runnable task) {
    context.executor().execute(task);
  }

  /** Finds out whether the framework has chosen HTTP/2, by the first bytes or over TLS. */
  private void findProtocol() {
    if (isProtocolKnown) {
      return;
    }
    findHttp1();
    http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      isProtocolKnown = true;
      beginHttp2(http2.connection());
    }
  }

  /** Finds out whether the framework has chosen HTTP/1.1; if possible, before it reads a head. */
  void findHttp1() {
    var pipeline = context.pipeline();
    if (!isProtocolKnown && pipeline.get("httpDecoder") instanceof ByteToMessageDecoder decoder) {
      isProtocolKnown = true;
      head.follow(decoder);
      pipeline.addAfter("httpDecoder", null, head);
    }
  }

  private void beginHttp2(Http2Connection connection) {
    exchangeOfStream = connection.newKey();
    // Netty applies this only when the client acknowledges it, which a hostile client never does.
    connection.remote().maxActiveStreams(limits.streams());
    connection.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            Exchange exchange = stream.removeProperty(exchangeOfStream);
            if (exchange != null) {
              left(exchange);
            }
          }
        });
    if (!memory.takeForHttp2()) {
      close();
    }
  }

  private void ended(Exchange exchange) {
    exchange.complete();
    if (!exchange.settle()) {
      cut(exchange, Http2Error.ENHANCE_YOUR_CALM);
    }
  }

  /** Whether the client has ended its side of a stream over HTTP/2. */
  boolean isEndedByClient(int stream) {
    if (http2 == null) {
      return false;
    }
    var some = http2.connection().stream(stream);
    return some == null || !some.state().remoteSideOpen();
  }

  ConnectionMemory memory() {
    return memory;
  }

  /** The request over HTTP/1.1 whose response is due, or was the last. */
  Exchange due() {
    return due;
  }

  /** The client has received the whole response, or will receive nothing more of it. */
  void left(Exchange exchange) {
    since = System.nanoTime();
    if (leaving.isEmpty()) {
      later(this::giveBackLeft);
    }
    leaving.add(exchange);
  }

  private void giveBackLeft() {
    for (var exchange = leaving.poll(); exchange != null; exchange = leaving.poll()) {
      exchange.leave();
      if (http2 != null || exchange.isDone()) {
        open.remove(exchange);
      }
    }
  }

  private void check() {
    if (http2 == null) {
      open.removeIf(Exchange::isDone);
      beginHead();
    }
    for (var exchange : List.copyOf(open)) {
      if (exchange.isSlowBody(limits.bodyNanos)) {
        cut(exchange, limits.slowBodies);
      }
    }
    var unread =
        open.stream()
            .filter(exchange -> exchange.isUnread(limits.bodyNanos, limits.idleNanos))
            .toList();
    unread.forEach(exchange -> cut(exchange, limits.slowReaders));
    if (!unread.isEmpty() && unread.size() == open.size()) {
      // Such a client may not even read a reset.
      close();
    }
    checkWithoutRequest();
  }

  private void checkWithoutRequest() {
    var passed = System.nanoTime() - since;
    if (awaitsHead && passed > limits.headNanos) {
      limits.slowHeads.increment();
      close();
    } else if (open.isEmpty() && passed > limits.idleNanos) {
      // Over HTTP/2, PINGs and incomplete heads do not count as use.
      var unused = context.channel().close();
    }
  }

  private void cut(Exchange exchange, Counter slow) {
    if (exchange.markCut()) {
      slow.increment();
      cut(exchange, Http2Error.CANCEL);
    }
  }

  /** Closes the connection or, over HTTP/2, only the stream. */
  void cut(Exchange exchange, Http2Error reason) {
    if (http2 == null) {
      close();
      return;
    }
    since = System.nanoTime();
    var streams = context.pipeline().context(http2);
    // The framework's reset does nothing for a complete response.
    var unused = http2.resetStream(streams, exchange.stream(), reason.code(), streams.newPromise());
    streams.flush();
  }

  /** Does not wait for requests or responses. */
  private void close() {
    var unused = context.close();
  }
}
