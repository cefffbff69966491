package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * Sends the same bytes for any request without parsing it. No server can do less, so this measures
 * the maximum rate of a load generator.
 */
final class FixedAnswers implements AutoCloseable {

  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nconstant".getBytes(StandardCharsets.ISO_8859_1);

  private final Selector selector;
  private final ServerSocketChannel listener;
  private final ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER.length).put(ANSWER);
  private final ByteBuffer request = ByteBuffer.allocateDirect(1 << 16);

  FixedAnswers() {
    try {
      selector = Selector.open();
      listener = ServerSocketChannel.open();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var thread = new Thread(this::serve, "fixed-answers");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listener.socket().getLocalPort();
  }

  private void serve() {
    try {
      while (selector.isOpen()) {
        selector.select(this::proceed);
      }
    } catch (IOException | UncheckedIOException | ClosedSelectorException end) {
      return;
    }
  }

  private void proceed(SelectionKey key) {
    try {
      if (key.isAcceptable()) {
        listener.accept().configureBlocking(false).register(selector, SelectionKey.OP_READ);
      } else {
        answer((SocketChannel) key.channel());
      }
    } catch (IOException clientLeft) {
      key.cancel();
    }
  }

  private void answer(SocketChannel client) throws IOException {
    request.clear();
    if (client.read(request) < 0) {
      client.close();
      return;
    }
    answer.rewind();
    client.write(answer);
  }

  @Override
  public void close() {
    try {
      listener.close();
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
