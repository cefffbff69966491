package io.github.bloomgate.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/** A connection that follows a filter. Reads the chunks of the response. */
final class FollowerConnection implements AutoCloseable {

  private enum State {
    HEAD,
    SIZE,
    CHUNK,
    CHUNK_END
  }

  private static final String BLANK_LINE = "\r\n\r\n";
  private static final int HEXADECIMAL = 16;

  private final SocketChannel channel;
  private final FrameReader frames;
  private final StringBuilder line = new StringBuilder();
  private State state = State.HEAD;
  private int left;
  private long bytes;

  private FollowerConnection(SocketChannel channel, FrameReader frames) {
    this.channel = channel;
    this.frames = frames;
  }

  /** Follows the filter. The connection is attached to its key. */
  static void open(Selector selector, int port, String filter) throws IOException {
    var channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    var request = Requests.get(List.of(FilterApi.path(filter, "/follow")));
    var frames = new FrameReader(System.nanoTime());
    var out = ByteBuffer.wrap(request.pool().get(0).bytes());
    while (out.hasRemaining()) {
      channel.write(out);
    }
    channel
        .configureBlocking(false)
        .register(selector, SelectionKey.OP_READ, new FollowerConnection(channel, frames));
  }

  /** Reads what has arrived. */
  void read(ByteBuffer buffer) {
    try {
      buffer.clear();
      var count = channel.read(buffer);
      if (count < 0) {
        throw new EOFException("the service closed the connection of a follower");
      }
      bytes += count;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    buffer.flip();
    while (buffer.hasRemaining()) {
      switch (state) {
        case HEAD -> readHead(buffer);
        case SIZE -> readSize(buffer);
        case CHUNK -> readChunk(buffer);
        case CHUNK_END -> readChunkEnd(buffer);
      }
    }
  }

  private void readHead(ByteBuffer buffer) {
    line.append((char) buffer.get());
    if (line.length() >= BLANK_LINE.length()
        && line.substring(line.length() - BLANK_LINE.length()).equals(BLANK_LINE)) {
      if (!line.toString().startsWith("HTTP/1.1 200")) {
        throw new IllegalStateException("A follower was answered with " + line);
      }
      line.setLength(0);
      state = State.SIZE;
    }
  }

  private void readSize(ByteBuffer buffer) {
    var next = (char) buffer.get();
    if (next == '\n') {
      left = Integer.parseInt(line.toString().strip(), HEXADECIMAL);
      line.setLength(0);
      state = State.CHUNK;
    } else {
      line.append(next);
    }
  }

  private void readChunk(ByteBuffer buffer) {
    var count = Math.min(left, buffer.remaining());
    frames.read(buffer.slice(buffer.position(), count));
    buffer.position(buffer.position() + count);
    left -= count;
    if (left == 0) {
      state = State.CHUNK_END;
    }
  }

  private void readChunkEnd(ByteBuffer buffer) {
    if (buffer.get() == '\n') {
      state = State.SIZE;
    }
  }

  FrameReader frames() {
    return frames;
  }

  /** The number of bytes received. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
