package io.github.bloomgate.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Connections of a client that sends requests and reads no response, over raw sockets. */
final class UnreadConnections implements AutoCloseable {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int MAX_FRAME = 1 << 14;

  /** Responses then stay in the service, and not in the system. */
  private static final int RECEIVE_BUFFER = 2048;

  private final InetAddress from;
  private final int port;
  private final List<Socket> sockets = new ArrayList<>();

  /**
   * @param from the address of the client
   */
  UnreadConnections(String from, int port) throws IOException {
    this.from = InetAddress.getByName(from);
    this.port = port;
  }

  /**
   * A request.
   *
   * @param headers with lower-case names
   */
  record Request(String method, String path, Map<String, String> headers, byte[] body) {

    /** Without headers, which have the key. */
    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  /** Opens a connection over HTTP/1.1 and sends a request several times. */
  void pipeline(Request request, int times) throws IOException {
    var head = new StringBuilder();
    head.append("%s %s HTTP/1.1\r\nHost: localhost\r\n".formatted(request.method, request.path));
    request.headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    if (request.body.length > 0) {
      head.append("Content-Length: " + request.body.length + "\r\n");
    }
    var all = new ByteArrayOutputStream();
    for (var i = 0; i < times; i++) {
      all.writeBytes((head + "\r\n").getBytes(ISO_8859_1));
      all.writeBytes(request.body);
    }
    send(all.toByteArray());
  }

  /**
   * Opens a connection over HTTP/2 that may receive no content, and sends a request several times.
   */
  void multiplex(Request request, int times) throws IOException {
    var head = new ByteArrayOutputStream();
    // Literals, and without the acknowledgement of the service's settings.
    header(head, ":method", request.method);
    header(head, ":scheme", "http");
    header(head, ":path", request.path);
    header(head, ":authority", "localhost");
    request.headers.forEach((name, value) -> header(head, name, value));
    var all = new ByteArrayOutputStream();
    all.writeBytes(PREFACE.getBytes(US_ASCII));
    var initialWindowSize = ByteBuffer.allocate(6).putShort((short) 4).putInt(0).array();
    frame(all, 4, 0, 0, initialWindowSize, 0, initialWindowSize.length);
    for (var stream = 1; stream <= 2 * times; stream += 2) {
      var flags = request.body.length == 0 ? 5 : 4;
      frame(all, 1, flags, stream, head.toByteArray(), 0, head.size());
      for (var at = 0; at < request.body.length; at += MAX_FRAME) {
        var length = Math.min(MAX_FRAME, request.body.length - at);
        var isLast = at + length == request.body.length;
        frame(all, 0, isLast ? 1 : 0, stream, request.body, at, length);
      }
    }
    send(all.toByteArray());
  }

  private static void header(ByteArrayOutputStream to, String name, String value) {
    to.write(0);
    text(to, name);
    text(to, value);
  }

  private static void text(ByteArrayOutputStream to, String text) {
    var length = text.length();
    if (length < 127) {
      to.write(length);
    } else {
      to.write(127);
      for (length -= 127; length >= 128; length /= 128) {
        to.write(length % 128 + 128);
      }
      to.write(length);
    }
    to.writeBytes(text.getBytes(ISO_8859_1));
  }

  private static void frame(
      ByteArrayOutputStream to, int type, int flags, int stream, byte[] content, int at, int size) {
    to.writeBytes(
        ByteBuffer.allocate(9)
            .putShort((short) (size >> 8))
            .put((byte) size)
            .put((byte) type)
            .put((byte) flags)
            .putInt(stream)
            .array());
    to.write(content, at, size);
  }

  /** Sends bytes on a new connection, unless the service closes it before. */
  private void send(byte[] bytes) throws IOException {
    var socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException refused) {
      return;
    }
  }

  @Override
  public void close() throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
  }
}
