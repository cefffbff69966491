package io.github.bloomgate.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BegunHeadTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String BEGUN = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Lo";
  private static final String SIZED = "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
  private static final String CHUNKS =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
  private static final String TRAILERS = "0\r\nA: a\r\nB: b\r\n";

  private final BegunHead head = new BegunHead();
  private final EmbeddedChannel channel = channel();

  private EmbeddedChannel channel() {
    var decoder = new HttpRequestDecoder();
    head.follow(decoder);
    return new EmbeddedChannel(decoder, head);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void read(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(strings = {GET, SIZED, CHUNKS + "0\r\n\r\n", CHUNKS + TRAILERS + "\r\n", CHUNKS})
  void completePartsLeaveNothing(String parts) {
    read(parts);
    assertEquals(0, head.bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", GET, GET + GET, SIZED, SIZED + GET, CHUNKS + "0\r\n\r\n"})
  void aHeadCountsFromItsBegin(String before) {
    read(before + BEGUN);
    assertEquals(BEGUN.length(), head.bytes());
    read("ng: a");
    assertEquals(BEGUN.length() + 5, head.bytes());
    read("\r\n\r\n");
    assertEquals(0, head.bytes());
  }

  @Test
  void trailersCount() {
    read(CHUNKS + TRAILERS);
    assertEquals(TRAILERS.length(), head.bytes());
    read("C: c\r\n");
    assertEquals(TRAILERS.length() + 6, head.bytes());
    read("\r\n");
    assertEquals(0, head.bytes());
  }

  @Test
  void everyByteCountsUntilItsPartIsComplete() {
    var sent = GET + SIZED + CHUNKS + TRAILERS + "\r\n" + GET;
    for (var i = 0; i < sent.length(); i++) {
      read(sent.substring(i, i + 1));
      assertTrue(head.bytes() < GET.length() + CHUNKS.length(), "does not add up");
    }
    assertEquals(0, head.bytes());
  }

  /** The decoder releases it before it passes on the last part of a request. */
  @Test
  void laterUsesOfTheSameBufferDoNotCount() {
    var pool = PooledByteBufAllocator.DEFAULT;
    var used = new ArrayDeque<ByteBuf>();
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object part) {
                used.add(pool.heapBuffer(100).writeZero(100));
              }
            });
    for (var i = 0; i < 10; i++) {
      channel.writeInbound(pool.heapBuffer(100).writeBytes(GET.getBytes(US_ASCII)));
      assertEquals(0, head.bytes());
      used.forEach(ByteBuf::release);
      used.clear();
    }
  }

  /** They would take memory while their request waits. */
  @Test
  void trailersAreDropped() {
    read(CHUNKS + TRAILERS + "\r\n");
    Object last = null;
    for (var part = channel.readInbound(); part != null; part = channel.readInbound()) {
      ReferenceCountUtil.release(part);
      last = part;
    }
    assertTrue(assertInstanceOf(LastHttpContent.class, last).trailingHeaders().isEmpty());
  }
}
