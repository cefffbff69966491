package io.github.bloomgate.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.http.impl.Http1xOrH2CHandler;

/**
 * Ignores {@code Upgrade}, as a server may, so the client continues with HTTP/1.1. The framework
 * would buffer all of the request's body, and respond to invalid settings with 400 and neither a
 * length nor an end. RFC 9113 has removed this upgrade; clients that know that the service supports
 * HTTP/2 use it from the first byte.
 *
 * <p>The framework chooses its handlers by the first bytes of a connection, so bytes are passed on
 * one by one until they are chosen.
 */
public final class UpgradeGuard extends ChannelInboundHandlerAdapter {

  /** The framework's name of the upgrade handler. */
  private static final String UPGRADES = "h2c";

  private final ChannelOutboundHandler refusals;

  /**
   * @param refusals gives refusals of the HTTP server a body, from the first request on
   */
  UpgradeGuard(ChannelOutboundHandler refusals) {
    this.refusals = refusals;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object first) {
    var bytes = (ByteBuf) first;
    var pipeline = context.pipeline();
    while (bytes.isReadable() && pipeline.get(Http1xOrH2CHandler.class) != null) {
      context.fireChannelRead(bytes.readRetainedSlice(1));
    }
    if (pipeline.get(UPGRADES) != null) {
      pipeline.addBefore(UPGRADES, null, new FirstRequest());
      pipeline.addBefore(UPGRADES, null, refusals);
    }
    if (pipeline.get(Http1xOrH2CHandler.class) == null) {
      pipeline.remove(this);
    }
    context.fireChannelRead(bytes);
  }

  /** Only the first request of a connection can be an upgrade. */
  private static final class FirstRequest extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
      if (part instanceof HttpRequest request) {
        request.headers().remove(HttpHeaderNames.UPGRADE);
        context.pipeline().remove(this);
      }
      context.fireChannelRead(part);
    }
  }
}
