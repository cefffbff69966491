package io.github.bloomgate.http.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored")
class PacedWritesTest {

  private static final int PIECE = 1 << 14;

  /** The writes that have reached the socket, which takes them when the test completes them. */
  private static final class Socket extends ChannelOutboundHandlerAdapter {

    private final List<ByteBuf> pieces = new ArrayList<>();
    private final List<ChannelPromise> promises = new ArrayList<>();

    @Override
    public void write(ChannelHandlerContext context, Object piece, ChannelPromise promise) {
      pieces.add((ByteBuf) piece);
      promises.add(promise);
    }

    private int bytes() {
      return pieces.stream().mapToInt(ByteBuf::readableBytes).sum();
    }
  }

  private final Socket socket = new Socket();
  private final EmbeddedChannel channel = new EmbeddedChannel(socket, new PacedWrites());

  @Test
  void aLargeResponseIsSentAtThePaceOfTheClient() {
    var sent = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[10 * PIECE + 1]));
    for (var pieces = 1; pieces <= 10; pieces++) {
      assertEquals(pieces * PIECE, socket.bytes());
      assertFalse(sent.isDone());
      socket.promises.get(pieces - 1).setSuccess();
    }
    assertEquals(10 * PIECE + 1, socket.bytes());
    socket.promises.get(10).setSuccess();
    assertTrue(sent.isSuccess());
  }

  @Test
  void whatFollowsWaitsAndKeepsItsOrder() {
    channel.write(Unpooled.wrappedBuffer(new byte[2 * PIECE]));
    var last = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {7}));
    assertEquals(1, socket.pieces.size());
    socket.promises.get(0).setSuccess();
    socket.promises.get(1).setSuccess();
    assertEquals(7, socket.pieces.get(2).getByte(0));
    socket.promises.get(2).setSuccess();
    assertTrue(last.isSuccess());
  }

  @Test
  void waitingBytesMakeTheConnectionUnwritable() {
    channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[100 * PIECE]));
    assertFalse(channel.isWritable());
  }

  @Test
  void aClosedConnectionReleasesWhatWaits() {
    var content = Unpooled.buffer(3 * PIECE).writeZero(3 * PIECE);
    var sent = channel.writeAndFlush(content);
    channel.close();
    assertTrue(sent.isDone());
    assertFalse(sent.isSuccess());
    socket.pieces.forEach(ByteBuf::release);
    assertEquals(0, content.refCnt());
  }
}
