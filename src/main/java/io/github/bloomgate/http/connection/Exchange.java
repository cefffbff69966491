package io.github.bloomgate.http.connection;

import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request and its response, from the head of the request until the client has read the response.
 * Holds the memory of both, which is given back only then. Thread-safe.
 */
public final class Exchange {

  /** The most bytes of a response that are part of the memory of each request. */
  public static final int SMALL_RESPONSE = 1 << 13;

  /** The framework's objects for a request take 5 to 8 KB, measured with GET requests. */
  private static final int REQUEST = 1 << 13;

  /** The objects for a header, in addition to its characters. */
  private static final int HEADER = 160;

  private static final String KEY = Exchange.class.getName();

  private final HttpServerRequest request;
  private final Optional<OpenExchanges> connection;
  private final boolean mayHaveBody;
  private Holding memory;
  private long reserved = SMALL_RESPONSE;
  private long mostUnsent = Long.MAX_VALUE;
  private boolean hasLeft;
  private boolean isCut;

  /** When the head arrived, or the response ended. */
  private volatile long since = System.nanoTime();

  /** When the whole response was there, if it is. */
  private volatile OptionalLong completeSince = OptionalLong.empty();

  private long readSince = since;
  private long written;

  /**
   * Begins with the head of a request, on the connection's event loop.
   *
   * @param connection empty in dev mode
   */
  Exchange(RoutingContext context, Optional<OpenExchanges> connection) {
    this.request = context.request();
    this.connection = connection;
    this.mayHaveBody = BodyLimit.mayHaveBody(context);
    context.put(KEY, this);
    context.addEndHandler(end -> since = System.nanoTime());
  }

  public static Exchange of(RoutingContext context) {
    return context.get(KEY);
  }

  int stream() {
    return request.response().streamId();
  }

  /** Takes the memory of the request and of a small response; false if there is none. */
  synchronized boolean admit(Holding holding) {
    if (!hasLeft && !holding.grow(REQUEST + SMALL_RESPONSE + bytes(request.headers()))) {
      return false;
    }
    memory = holding;
    return true;
  }

  /** Cuts off a request for which nothing was done, so that the client can repeat it. */
  void refuse() {
    connection.ifPresentOrElse(
        exchanges -> exchanges.cut(this, Http2Error.REFUSED_STREAM),
        () -> request.connection().close());
  }

  static long bytes(Iterable<Map.Entry<String, String>> headers) {
    var bytes = 0L;
    for (var header : headers) {
      bytes += HEADER + header.getKey().length() + header.getValue().length();
    }
    return bytes;
  }

  /**
   * Takes memory for a response that is held as a whole. Call it before any work, if the response
   * may be large, so that a request without room does nothing.
   *
   * @param most the most bytes of the response
   * @throws BloomException OVERLOADED if there is no room
   */
  public synchronized void reserve(long most) {
    var more = most - reserved;
    if (more > 0 && memory != null) {
      if (!hasLeft && !memory.grow(more)) {
        throw RequestErrors.unreadResponses();
      }
      reserved = most;
    }
  }

  /**
   * Sends a response that is held as a whole.
   *
   * @throws BloomException OVERLOADED if there is no memory for it, but not if it was reserved
   */
  public void send(RoutingContext context, byte[] response) {
    reserve(response.length);
    trim(response.length);
    // Not copied to direct memory before it is sent.
    context.response().end(BufferImpl.buffer(Unpooled.wrappedBuffer(response)));
  }

  /** Gives back the memory that was reserved for a larger response. */
  private void trim(long bytes) {
    long less;
    synchronized (this) {
      less = memory == null ? 0 : reserved - Math.max(bytes, SMALL_RESPONSE);
      reserved -= Math.max(0, less);
    }
    if (less > 0) {
      memory.shrink(less);
    }
  }

  /**
   * For a response that is not held as a whole, or whose memory is shared.
   *
   * @param most the most bytes of it that are held for this request at once, and were reserved
   */
  public synchronized void pace(long most) {
    mostUnsent = most;
  }

  /**
   * Keeps the memory of the whole response, also of one by the framework; false if there is no
   * room.
   */
  boolean settle() {
    try {
      var bytes = bytesInMemory();
      reserve(bytes);
      trim(bytes);
      return true;
    } catch (BloomException noRoom) {
      return false;
    }
  }

  private synchronized long bytesInMemory() {
    return Math.min(mostUnsent, request.response().bytesWritten());
  }

  /**
   * Ends the response without its rest, so that the client does not take it for a complete one. The
   * caller writes nothing more. Over HTTP/1.1, the client has a limited time to read what was
   * written. Does not wait for that.
   */
  public void abort() {
    complete();
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset(Http2Error.INTERNAL_ERROR.code());
    } else {
      // The end of a reset HTTP/1 response is never reported, so the framework would wait for it at
      // shutdown.
      request.connection().close();
    }
  }

  /** Nothing more will be written, so the client has a limited time to read the response. */
  void complete() {
    if (completeSince.isEmpty()) {
      completeSince = OptionalLong.of(System.nanoTime());
    }
  }

  /** The client has read everything, or has gone. */
  void leave() {
    Holding held;
    synchronized (this) {
      hasLeft = true;
      held = memory;
    }
    if (held != null) {
      held.close();
    }
  }

  /** Notes that it is cut off; false if it already was. */
  synchronized boolean markCut() {
    var first = !isCut;
    isCut = true;
    return first;
  }

  /**
   * Whether all of the request has arrived. The framework does not say so of a request without a
   * body that nothing reads.
   */
  private boolean hasArrived() {
    return !mayHaveBody
        || request.isEnded()
        || connection.filter(exchanges -> exchanges.isEndedByClient(stream())).isPresent();
  }

  /** Whether the request and the response are complete, though perhaps not read. */
  boolean isAnswered() {
    return request.response().ended() && hasArrived();
  }

  synchronized boolean isDone() {
    return hasLeft && hasArrived();
  }

  /** Whether the client is too slow to send the body, or its rest after the response. */
  boolean isSlowBody(long nanos) {
    var awaitsBody = !hasArrived() && (request.response().ended() || !BodyLimit.isStream(request));
    return awaitsBody && passed(since) > nanos;
  }

  /**
   * Whether the client is too slow to read: a complete response as a whole, or any part of another.
   * The idle time of the connection is not enough, because a client can send a byte now and then,
   * or an HTTP/2 PING.
   */
  boolean isUnread(long wholeNanos, long pauseNanos) {
    var whole = completeSince;
    if (whole.isPresent()) {
      return passed(whole.getAsLong()) > wholeNanos;
    }
    var response = request.response();
    var all = response.bytesWritten();
    if (all != written || !isFull(response)) {
      written = all;
      readSince = System.nanoTime();
    }
    return passed(readSince) > pauseNanos;
  }

  private static boolean isFull(HttpServerResponse response) {
    try {
      return !response.ended() && response.writeQueueFull();
    } catch (IllegalStateException ended) {
      // Just closed by another thread.
      return false;
    }
  }

  private static long passed(long since) {
    return System.nanoTime() - since;
  }
}
