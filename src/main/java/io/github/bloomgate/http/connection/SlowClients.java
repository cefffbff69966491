package io.github.bloomgate.http.connection;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.memory.MemoryBudget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.AttributeKey;
import io.quarkus.runtime.LaunchMode;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
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

  /** The bytes of one connection that the client does not accept, in direct memory. */
  private static final int MOST_UNSENT = 1 << 15;

  private final MemoryBudget memory;

  /** The bean for refusals of the HTTP server, in a package above this one. */
  private final ChannelOutboundHandler refusals;

  private final int maxConnections;
  private final OpenExchanges.Limits limits;

  @Inject
  SlowClients(
      BloomgateConfig config,
      @ConfigProperty(name = "quarkus.http.limits.max-connections") OptionalInt maxConnections,
      @ConfigProperty(name = "quarkus.http.limits.max-concurrent-streams") int maxStreams,
      @ConfigProperty(name = "quarkus.http.idle-timeout") Duration idleTimeout,
      MemoryBudget memory,
      ChannelOutboundHandler refusals,
      MeterRegistry metrics) {
    this.memory = memory;
    this.refusals = refusals;
    this.maxConnections = maxConnections.orElse(Integer.MAX_VALUE);
    this.limits =
        new OpenExchanges.Limits(
            maxStreams,
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

  /** Begins to watch a request whose head has arrived. */
  public void watch(RoutingContext context) {
    var request = context.request();
    var connection = (ConnectionBase) request.connection();
    // A live reload keeps the server and the handlers added by earlier classes.
    if (LaunchMode.current() == LaunchMode.DEVELOPMENT) {
      var exchange = new Exchange(context, Optional.empty());
      context.addEndHandler(end -> exchange.leave());
      return;
    }
    var pipeline = connection.channel().pipeline();
    var exchanges = exchanges(connection.channel());
    exchanges.watch(context);
    if (request.version() != HttpVersion.HTTP_2 && pipeline.get(RequestTurns.class) == null) {
      pipeline.addBefore("httpDecoder", null, new PacedWrites());
      pipeline.addBefore("handler", null, new RequestTurns(connection, exchanges));
      if (pipeline.get(IdleStateHandler.class) != null) {
        // It adds a listener to each write, and the exchanges end idle connections.
        pipeline.remove(IdleStateHandler.class);
      }
      if (pipeline.context(refusals) == null) {
        pipeline.addBefore("handler", null, refusals);
      }
    }
  }

  private OpenExchanges exchanges(Channel channel) {
    var known = channel.pipeline().get(OpenExchanges.class);
    if (known != null) {
      return known;
    }
    // The connection of the first request is already accepted.
    guard(channel.parent());
    var late = exchangesOf(channel);
    channel.pipeline().addFirst(late);
    return late;
  }

  private OpenExchanges exchangesOf(Channel channel) {
    return new OpenExchanges(limits, new ConnectionMemory(memory, channel));
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
        var exchanges = exchangesOf(channel);
        if (open.get() >= maxConnections || !exchanges.hasMemory()) {
          channel.unsafe().closeForcibly();
          return;
        }
        open.incrementAndGet();
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        channel.pipeline().addFirst(exchanges, new UpgradeGuard(refusals, exchanges));
        channel.config().setRecvByteBufAllocator(new ReadSize());
        channel
            .config()
            .setWriteBufferWaterMark(new WriteBufferWaterMark(MOST_UNSENT / 2, MOST_UNSENT));
        // Otherwise Linux would keep up to 4 MiB more for each connection, as memory of the
        // container. Bytes on their way do not count, so a client that reads gets them as fast.
        channel.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) MOST_UNSENT);
      }
      super.channelRead(context, accepted);
    }
  }
}
