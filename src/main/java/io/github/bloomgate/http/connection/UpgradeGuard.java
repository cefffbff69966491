package io.github.bloomgate.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;

/**
 * Ignores {@code Upgrade: h2c} of a request with a body, as a server may. Its body is sent as
 * HTTP/1.1, without the flow control of HTTP/2, and the framework would buffer all of it. The
 * client continues with HTTP/1.1.
 *
 * <p>So does a client that sends no settings, which a proxy may have removed. The framework would
 * respond with 400 and neither a length nor an end.
 *
 * <p>The framework chooses its handlers by the first bytes of a connection, so bytes are passed on
 * one by one until the upgrade handler exists.
 */
public final class UpgradeGuard extends ChannelInboundHandlerAdapter {

  /** The framework's name of the upgrade handler. */
  private static final String UPGRADES = "h2c";

  private static final String SETTINGS = "HTTP2-Settings";

  private static final int LENGTH_OF_PREFACE = 24;

  private int seen;

  @Override
  public void channelRead(ChannelHandlerContext context, Object first) {
    var bytes = (ByteBuf) first;
    var pipeline = context.pipeline();
    while (bytes.isReadable() && seen < LENGTH_OF_PREFACE && pipeline.get(UPGRADES) == null) {
      seen++;
      context.fireChannelRead(bytes.readRetainedSlice(1));
    }
    if (pipeline.get(UPGRADES) != null) {
      pipeline.addBefore(UPGRADES, null, new FirstRequest());
      pipeline.remove(this);
    } else if (seen == LENGTH_OF_PREFACE) {
      pipeline.remove(this);
    }
    context.fireChannelRead(bytes);
  }

  /** Only the first request of a connection can be an upgrade. */
  private static final class FirstRequest extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) {
      if (part instanceof HttpRequest request) {
        var headers = request.headers();
        if (!headers.get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0")
            || headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
            || headers.getAll(SETTINGS).size() != 1) {
          headers.remove(HttpHeaderNames.UPGRADE);
        }
        context.pipeline().remove(this);
      }
      context.fireChannelRead(part);
    }
  }
}
