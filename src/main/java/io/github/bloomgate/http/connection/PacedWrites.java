package io.github.bloomgate.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.PendingWriteQueue;
import java.nio.channels.ClosedChannelException;

/**
 * Sends a response over HTTP/1.1 piece by piece, each when the one before has been sent. At once,
 * all of it would be copied to direct memory, and over TLS encrypted, even if the client reads
 * nothing. The flow control of HTTP/2 does the same.
 *
 * <p>Used on the connection's event loop.
 */
final class PacedWrites extends ChannelDuplexHandler {

  private static final int PIECE = 1 << 14;

  /** Counts for the writability of the connection, too. */
  private PendingWriteQueue waiting;

  private boolean isUnderWay;

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    waiting = new PendingWriteQueue(context);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise has the result
  public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
    if (!(part instanceof ByteBuf bytes)
        || (waiting.isEmpty() && !isUnderWay && bytes.readableBytes() <= PIECE)) {
      context.write(part, promise);
      return;
    }
    while (bytes.readableBytes() > PIECE) {
      waiting.add(bytes.readRetainedSlice(PIECE), context.newPromise());
    }
    waiting.add(bytes, promise.unvoid());
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    sendNext(context);
    context.flush();
  }

  private void sendNext(ChannelHandlerContext context) {
    while (!isUnderWay && !waiting.isEmpty()) {
      isUnderWay = true;
      var sent = waiting.removeAndWrite();
      context.flush();
      if (sent.isDone()) {
        isUnderWay = false;
      } else {
        var unused =
            sent.addListener(
                done -> {
                  isUnderWay = false;
                  sendNext(context);
                });
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    waiting.removeAndFailAll(new ClosedChannelException());
    context.fireChannelInactive();
  }
}
