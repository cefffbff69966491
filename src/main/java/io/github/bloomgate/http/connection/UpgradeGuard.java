package io.github.bloomgate.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.impl.Http1xOrH2CHandler;

/**
 * Ignores {@code Upgrade}, as a server may, so the client continues with HTTP/1.1. The framework
 * would buffer all of the request's body, and respond to invalid settings with 400 and neither a
 * length nor an end. RFC 9113 has removed this upgrade; clients that know that the service supports
 * HTTP/2 use it from the first byte.
 *
 * <p>The framework chooses its handlers by the first bytes of a connection, so bytes are passed on
 * one by one until they are chosen. Over TLS they are chosen before the first decrypted bytes.
 */
public final class UpgradeGuard extends ChannelInboundHandlerAdapter {

  /** The framework's name of the upgrade handler. */
  private static final String UPGRADES = "h2c";

  private final ChannelOutboundHandler refusals;
  private final OpenExchanges exchanges;

  /**
   * @param refusals gives refusals of the HTTP server a body, from the first request on
   * @param exchanges learns of HTTP/1.1 before a head is read
   */
  UpgradeGuard(ChannelOutboundHandler refusals, OpenExchanges exchanges) {
    this.refusals = refusals;
    this.exchanges = exchanges;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object first) {
    var bytes = (ByteBuf) first;
    var pipeline = context.pipeline();
    var tls = pipeline.context(SslHandler.class);
    if (tls != null) {
      pipeline.addAfter(tls.name(), null, new FirstDecrypted(exchanges));
    }
    while (bytes.isReadable() && pipeline.get(Http1xOrH2CHandler.class) != null) {
      context.fireChannelRead(bytes.readRetainedSlice(1));
    }
    if (pipeline.get(UPGRADES) != null) {
      exchanges.findHttp1();
      pipeline.addBefore(UPGRADES, null, new FirstRequest());
      pipeline.addBefore(UPGRADES, null, refusals);
    }
    if (pipeline.get(Http1xOrH2CHandler.class) == null) {
      pipeline.remove(this);
    }
    context.fireChannelRead(bytes);
  }

  private static final class FirstDecrypted extends ChannelInboundHandlerAdapter {

    private final OpenExchanges exchanges;

    FirstDecrypted(OpenExchanges exchanges) {
      this.exchanges = exchanges;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      exchanges.findHttp1();
      context.pipeline().remove(this);
      context.fireChannelRead(bytes);
    }
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
