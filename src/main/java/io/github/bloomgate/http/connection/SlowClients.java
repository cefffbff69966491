package io.github.bloomgate.http.connection;

import io.github.bloomgate.config.BloomgateConfig;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import io.quarkus.runtime.LaunchMode;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Closes connections, or HTTP/2 streams, whose client is too slow to send the head of a request or
 * a body that is not a stream, or to read, and connections above the limit. The framework has only
 * an idle timeout, so a byte now and then would keep a connection open for days.
 *
 * <p>Added before the framework's handlers where connections are accepted, on the first request.
 */
@Singleton
public class SlowClients {

  private static final AttributeKey<Boolean> GUARDED =
      AttributeKey.valueOf(SlowClients.class, "guarded");

  private final int maxConnections;
  private final Deadlines.Limits limits;

  @Inject
  SlowClients(
      BloomgateConfig config,
      @ConfigProperty(name = "quarkus.http.limits.max-connections") OptionalInt maxConnections,
      @ConfigProperty(name = "quarkus.http.idle-timeout") Duration idleTimeout,
      MeterRegistry metrics) {
    this.maxConnections = maxConnections.orElse(Integer.MAX_VALUE);
    this.limits =
        new Deadlines.Limits(
            config.limits().headTimeout().toNanos(),
            config.limits().bodyTimeout().toNanos(),
            idleTimeout.toNanos(),
            slow(metrics, "head"),
            slow(metrics, "body"),
            slow(metrics, "response"));
  }

  private static Counter slow(MeterRegistry metrics, String part) {
    return Counter.builder("bloom.slow.clients")
        .description(
            "Number of connections or HTTP/2 streams closed because the client was too slow, by"
                + " part.")
        .tag("part", part)
        .register(metrics);
  }

  public void watch(RoutingContext context) {
    // A live reload keeps the server and the handlers added by earlier classes.
    if (LaunchMode.current() == LaunchMode.DEVELOPMENT) {
      return;
    }
    var request = context.request();
    if (request.connection() instanceof ConnectionBase connection) {
      deadlines(connection.channel()).watch(context);
      var pipeline = connection.channel().pipeline();
      if (request.version() != HttpVersion.HTTP_2 && pipeline.get(RequestTurns.class) == null) {
        pipeline.addBefore("handler", null, new RequestTurns(connection));
      }
    }
  }

  private Deadlines deadlines(Channel channel) {
    var known = channel.pipeline().get(Deadlines.class);
    if (known != null) {
      return known;
    }
    // The connection of the first request is already accepted.
    guard(channel.parent());
    var late = new Deadlines(limits);
    channel.pipeline().addFirst(late);
    return late;
  }

  private void guard(Channel accepting) {
    if (accepting != null && accepting.attr(GUARDED).setIfAbsent(true) == null) {
      accepting.pipeline().addFirst(new Accepted());
    }
  }

  /**
   * Handles each connection before anything is read, and counts it: the framework counts only
   * connections that have sent something.
   */
  @ChannelHandler.Sharable
  private final class Accepted extends ChannelInboundHandlerAdapter {

    private final AtomicInteger open = new AtomicInteger();

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the listener cannot fail
    public void channelRead(ChannelHandlerContext context, Object accepted) throws Exception {
      if (accepted instanceof Channel channel) {
        if (open.get() >= maxConnections) {
          channel.unsafe().closeForcibly();
          return;
        }
        open.incrementAndGet();
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        channel.pipeline().addFirst(new Deadlines(limits), new UpgradeGuard());
        channel.config().setRecvByteBufAllocator(new ReadSize());
      }
      super.channelRead(context, accepted);
    }
  }
}
