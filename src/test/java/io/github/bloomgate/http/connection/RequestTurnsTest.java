package io.github.bloomgate.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.MemoryBudget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.spi.metrics.NetworkMetrics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order of requests and pauses, without a service. */
class RequestTurnsTest {

  private static final String GET = "GET / HTTP/1.1\r\n\r\n";
  private static final String BEGUN_BODY = "POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\nabc";

  /** Pauses the connection for each request with a body, as {@link BodyFlow#hold} does. */
  private static final class Service extends ChannelInboundHandlerAdapter {

    private final List<Object> parts = new ArrayList<>();
    private boolean respondsAtOnce;

    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public void channelRead(ChannelHandlerContext context, Object part) {
      if (part instanceof HttpRequest head && head.headers().contains("Content-Length")) {
        context.channel().config().setAutoRead(false);
      }
      ReferenceCountUtil.release(part);
      parts.add(part);
      if (respondsAtOnce && part instanceof LastHttpContent) {
        context.write(LastHttpContent.EMPTY_LAST_CONTENT);
      }
    }
  }

  private static final class Connection extends ConnectionBase {

    Connection(Vertx vertx, EmbeddedChannel channel) {
      super((ContextInternal) vertx.getOrCreateContext(), channel.pipeline().firstContext());
    }

    @Override
    public NetworkMetrics<?> metrics() {
      return null;
    }

    @Override
    protected void handleInterestedOpsChanged() {}
  }

  /** Does not report that a response is sent. */
  @SuppressWarnings("FutureReturnValueIgnored") // the promise has the result
  private static final class Socket extends ChannelOutboundHandlerAdapter {

    @Override
    public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
      if (part instanceof LastHttpContent) {
        ReferenceCountUtil.release(part);
      } else {
        context.write(part, promise);
      }
    }
  }

  private final Vertx vertx = Vertx.vertx();
  private final Service service = new Service();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new Socket(), new HttpRequestDecoder(), service);

  private void open(long memory) {
    var budget = new MemoryBudget(memory, new SimpleMeterRegistry());
    var exchanges = new OpenExchanges(null, new ConnectionMemory(budget, channel));
    var turns = new RequestTurns(new Connection(vertx, channel), exchanges);
    channel.pipeline().addBefore(channel.pipeline().context(service).name(), null, turns);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private void read(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, US_ASCII));
  }

  private void respond() {
    var unused = channel.writeOneOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
    channel.runPendingTasks();
  }

  @Test
  void aBodyThatIsHeldStaysHeldIfPartOfItHasWaited() {
    open(1 << 20);
    read(BEGUN_BODY);
    assertEquals(0, service.parts.size());
    assertFalse(channel.config().isAutoRead());
    respond();
    assertEquals(2, service.parts.size());
    assertFalse(channel.config().isAutoRead());
  }

  @Test
  void theConnectionIsReadAgainWhenNothingWaits() {
    open(1 << 20);
    read(GET + GET);
    respond();
    assertEquals(2, service.parts.size());
    assertFalse(channel.config().isAutoRead());
    respond();
    assertEquals(4, service.parts.size());
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void aConnectionThatMustEndIsClosedAfterItsLastResponse() {
    open(0);
    read(GET);
    assertTrue(channel.isOpen());
    respond();
    assertFalse(channel.isOpen());
  }

  @Test
  void aConnectionThatMustEndWithoutADueResponseIsClosed() {
    open(0);
    respond();
    service.respondsAtOnce = true;
    read(GET.repeat(5));
    assertTrue(service.parts.size() < 10, "not all in one turn");
    assertFalse(channel.isOpen());
  }
}
