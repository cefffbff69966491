package io.github.bloomgate.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One request, byte for byte as given: what an HTTP client would correct or refuse to send. */
final class RawHttp {

  private static final Duration MAX_WAIT = Duration.ofMinutes(2);

  private RawHttp() {}

  /**
   * A response.
   *
   * @param headers by lower-case name
   */
  record Answer(int status, Map<String, String> headers, String body) {}

  /** A request with a body of known length. */
  static Answer send(int port, String method, String target, String headers, byte[] body) {
    var head =
        "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(method, target, headers, body.length);
    return send(port, concat(head.getBytes(StandardCharsets.ISO_8859_1), body));
  }

  /** A request with a body sent in chunks, its length not announced. */
  static Answer sendChunked(int port, String method, String target, String headers, byte[] body) {
    var head =
        "%s %s HTTP/1.1\r\nHost: localhost\r\n%sTransfer-Encoding: chunked\r\n\r\n"
            .formatted(method, target, headers);
    var request = new ByteArrayOutputStream();
    request.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    for (var from = 0; from < body.length; from += 65_536) {
      var length = Math.min(65_536, body.length - from);
      request.writeBytes("%x\r\n".formatted(length).getBytes(StandardCharsets.US_ASCII));
      request.write(body, from, length);
      request.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    request.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return send(port, request.toByteArray());
  }

  /** A request in full. */
  static Answer send(int port, byte[] request) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) MAX_WAIT.toMillis());
      // The answer may come, and the connection close, before all is sent.
      var writer = new Thread(() -> write(socket, request), "raw-http-writer");
      writer.setDaemon(true);
      writer.start();
      return read(
          new BufferedInputStream(socket.getInputStream()),
          new String(request, 0, 5, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Socket socket, byte[] request) {
    try {
      socket.getOutputStream().write(request);
    } catch (IOException e) {
      // The service may not read a body that it refuses.
      return;
    }
  }

  private static Answer read(InputStream in, String method) throws IOException {
    var status = Integer.parseInt(line(in).split(" ", 3)[1]);
    var headers = new HashMap<String, String>();
    for (var line = line(in); !line.isEmpty(); line = line(in)) {
      var colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    if (status == 100) {
      return read(in, method);
    }
    if (method.startsWith("HEAD")) {
      return new Answer(status, headers, "");
    }
    if (headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
      return new Answer(status, headers, chunks(in));
    }
    var length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Answer(status, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  private static String chunks(InputStream in) throws IOException {
    var body = new ByteArrayOutputStream();
    for (var length = Integer.parseInt(line(in), 16);
        length > 0;
        length = Integer.parseInt(line(in), 16)) {
      body.write(in.readNBytes(length));
      line(in);
    }
    return body.toString(StandardCharsets.UTF_8);
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (var c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("The connection was closed after: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private static byte[] concat(byte[] one, byte[] other) {
    var both = new ByteArrayOutputStream();
    both.writeBytes(one);
    both.writeBytes(other);
    return both.toByteArray();
  }
}
