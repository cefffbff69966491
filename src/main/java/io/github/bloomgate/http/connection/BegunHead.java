package io.github.bloomgate.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Counts the bytes of a head, or of trailers, that have not arrived completely. The decoder of
 * HTTP/1.1 turns each of their lines into objects, and reports only complete ones. So this class
 * sees the bytes before the decoder, and the parts of requests after it. Used on the connection's
 * event loop.
 */
final class BegunHead extends ChannelInboundHandlerAdapter
    implements ByteToMessageDecoder.Cumulator {

  private int bytes;

  /** What the decoder has yet to read. */
  private ByteBuf unread = Unpooled.EMPTY_BUFFER;

  /** The bytes that have arrived after the last part of a request. */
  int bytes() {
    return bytes;
  }

  /** Adds bytes before the decoder is known, such as those of a TLS handshake. */
  void add(int others) {
    bytes += others;
  }

  /** Begins to count, when the framework has chosen HTTP/1.1. */
  void follow(ByteToMessageDecoder decoder) {
    bytes = 0;
    decoder.setCumulator(this);
  }

  @Override
  public ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf before, ByteBuf read) {
    bytes += read.readableBytes();
    unread = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, before, read);
    return unread;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object part) {
    if (!unread.isReadable()) {
      // The decoder has released it, and its pool may use it for other bytes before the next part.
      unread = Unpooled.EMPTY_BUFFER;
    }
    bytes = unread.readableBytes();
    if (part instanceof LastHttpContent last && !last.trailingHeaders().isEmpty()) {
      // Nothing reads trailers, but the request may have to wait.
      last.trailingHeaders().clear();
    }
    context.fireChannelRead(part);
  }
}
