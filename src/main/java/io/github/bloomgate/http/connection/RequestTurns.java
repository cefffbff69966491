package io.github.bloomgate.http.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Passes on the pipelined requests of one HTTP/1.1 connection: each after the response to the one
 * before, and only a few per turn of the event loop, for the sake of other connections.
 *
 * <p>The framework would read on during a response and queue requests without limit. Here reading
 * pauses. If the bytes already read contain more requests than may wait, for example after a long
 * body, the connection is closed after the response to the last allowed one. The client repeats the
 * others, as in RFC 9112.
 *
 * <p>Used on the connection's event loop.
 */
public final class RequestTurns extends ChannelDuplexHandler {

  private static final int IN_ONE_TURN = 4;
  private static final int MAX_WAITING = 200;

  private final ConnectionBase connection;
  private final OpenExchanges exchanges;

  /** Parts of requests. */
  private final Queue<Object> waiting = new ArrayDeque<>(0);

  /** The requests of {@link #waiting}. */
  private int heads;

  /** Whether to close the connection after the pending responses and drop further input. */
  private boolean isEnding;

  /** This handler is added during the first request. */
  private boolean responseDue = true;

  private int turns = 1;
  private boolean handsOn;

  RequestTurns(ConnectionBase connection, OpenExchanges exchanges) {
    this.connection = connection;
    this.exchanges = exchanges;
  }

  /** Drops everything after a request, and closes its connection after the response. */
  public static void endAfterThis(HttpServerRequest request) {
    var turns =
        ((ConnectionBase) request.connection()).channel().pipeline().get(RequestTurns.class);
    if (turns != null) {
      turns.isEnding = true;
      turns.drop();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object part) {
    if (waiting.isEmpty() && !isEnding && mayPass(context, part)) {
      pass(context, part);
      return;
    }
    if (!isEnding && part instanceof HttpRequest head && !mayWait(head)) {
      isEnding = true;
      closeAfterLast(context);
    }
    if (isEnding) {
      ReferenceCountUtil.release(part);
      return;
    }
    if (waiting.isEmpty() && !responseDue) {
      handOnLater(context);
    }
    if (part instanceof HttpRequest) {
      heads++;
    }
    waiting.add(part);
    connection.doPause();
  }

  private boolean mayWait(HttpRequest head) {
    return heads < MAX_WAITING && exchanges.memory().takeForWaiting(head);
  }

  private boolean mayPass(ChannelHandlerContext context, Object part) {
    return !(part instanceof HttpRequest)
        || (!responseDue && turns < IN_ONE_TURN && context.channel().isWritable());
  }

  private void pass(ChannelHandlerContext context, Object part) {
    if (part instanceof HttpRequest) {
      responseDue = true;
      turns++;
    }
    context.fireChannelRead(part);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    turns = 0;
    context.fireChannelReadComplete();
  }

  /** Sends no further responses while the client does not read. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!waiting.isEmpty() && context.channel().isWritable()) {
      handOnLater(context);
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise has a listener
  public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
    if (!(part instanceof LastHttpContent) || isInterim(part)) {
      context.write(part, promise);
      return;
    }
    var exchange = exchanges.due();
    context.write(part, promise.unvoid().addListener(sent -> exchanges.left(exchange)));
    responseDue = false;
    if (!waiting.isEmpty()) {
      handOnLater(context);
    }
    closeAfterLast(context);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the listener closes
  private void closeAfterLast(ChannelHandlerContext context) {
    if (isEnding && waiting.isEmpty() && !responseDue) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static boolean isInterim(Object part) {
    return part instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  private void handOnLater(ChannelHandlerContext context) {
    if (!handsOn) {
      handsOn = true;
      context.executor().execute(() -> handOn(context));
    }
  }

  /** Passes on the part of one request that was read. */
  private void handOn(ChannelHandlerContext context) {
    handsOn = false;
    if (responseDue || waiting.isEmpty() || !context.channel().isWritable()) {
      return;
    }
    heads--;
    if (heads == 0) {
      exchanges.memory().giveBackWaiting();
      if (!isEnding) {
        // Before the head is passed on, which may pause the connection for a long body.
        connection.doResume();
      }
    }
    do {
      pass(context, waiting.remove());
    } while (!waiting.isEmpty() && !(waiting.peek() instanceof HttpRequest));
    channelReadComplete(context);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    drop();
    context.fireChannelInactive();
  }

  private void drop() {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    heads = 0;
    exchanges.memory().giveBackWaiting();
  }
}
