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
 * Hands on the pipelined requests of one HTTP/1.1 connection: the next one when its predecessor has
 * its response, and few in one turn of the event loop, so that other connections get theirs.
 *
 * <p>The framework reads on while a response is due, and would queue requests without limit. Here
 * reading pauses. If what was read already holds more requests than may wait, as behind a long
 * body, the connection is closed after the response to the last that may. The client repeats the
 * others, as RFC 9112 has it.
 *
 * <p>For the event loop of the connection.
 */
public final class RequestTurns extends ChannelDuplexHandler {

  private static final int IN_ONE_TURN = 4;
  private static final int MAX_WAITING = 200;

  private final ConnectionBase connection;

  /** Parts of requests. */
  private final Queue<Object> waiting = new ArrayDeque<>(0);

  private int heads;

  /** The connection is closed after the responses that are due; what comes is dropped. */
  private boolean isEnding;

  /** This handler joins the connection within its first request. */
  private boolean responseDue = true;

  private int turns = 1;
  private boolean handsOn;

  public RequestTurns(ConnectionBase connection) {
    this.connection = connection;
  }

  /** Drops what comes behind a request, and closes its connection after the response. */
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
    if (part instanceof HttpRequest && ++heads > MAX_WAITING) {
      isEnding = true;
    }
    if (isEnding) {
      ReferenceCountUtil.release(part);
      return;
    }
    if (waiting.isEmpty() && !responseDue) {
      handOnLater(context);
    }
    waiting.add(part);
    connection.doPause();
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

  /** Responses that the client does not read are not followed by others. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!waiting.isEmpty() && context.channel().isWritable()) {
      handOnLater(context);
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise and the listener are told
  public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
    context.write(part, promise);
    if (part instanceof LastHttpContent && !isInterim(part)) {
      responseDue = false;
      if (!waiting.isEmpty()) {
        handOnLater(context);
      } else if (isEnding) {
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
      }
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

  /** Hands on one request, as far as it was read. */
  private void handOn(ChannelHandlerContext context) {
    handsOn = false;
    if (responseDue || waiting.isEmpty() || !context.channel().isWritable()) {
      return;
    }
    heads--;
    do {
      var part = waiting.remove();
      if (waiting.isEmpty() && !isEnding) {
        // Before the request has a say, which may pause the connection for a long body.
        connection.doResume();
      }
      pass(context, part);
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
  }
}
