package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Sends requests byte for byte, one after the other, on a connection that is kept if it can be. */
final class HttpConnection implements AutoCloseable {

  private static final int MAX_WAIT_MILLIS = 120_000;

  private final int port;
  private Socket socket;
  private InputStream in;

  /**
   * A response.
   *
   * @param headers by lower-case name
   * @param whole whether the body came to its end
   */
  record Answer(int status, Map<String, String> headers, byte[] body, boolean whole) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** Nothing came back: the connection was closed. */
  static final Answer CLOSED = new Answer(0, Map.of(), new byte[0], false);

  /** Nothing came back in time. */
  static final Answer SILENCE = new Answer(-1, Map.of(), new byte[0], false);

  HttpConnection(int port) {
    this.port = port;
  }

  /**
   * Sends one request.
   *
   * @param lastWords whether the client closes its side after the request
   * @param withoutBody whether the response has no body regardless of its headers
   */
  Answer send(byte[] request, boolean lastWords, boolean withoutBody) throws IOException {
    var kept = socket != null;
    var answer = exchange(request, lastWords, withoutBody);
    if (kept && answer.status() == 0) {
      // It may have been closed behind the answer before.
      answer = exchange(request, lastWords, withoutBody);
    }
    return answer;
  }

  private Answer exchange(byte[] request, boolean lastWords, boolean withoutBody)
      throws IOException {
    try {
      if (socket == null) {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(MAX_WAIT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
      }
      try {
        socket.getOutputStream().write(request);
        if (lastWords) {
          socket.shutdownOutput();
        }
      } catch (SocketException refused) {
        // The service may refuse a body unread; its response may be there.
        lastWords = true;
      }
      var answer = read(withoutBody);
      if (lastWords
          || !answer.whole()
          || answer.header("connection").equalsIgnoreCase("close")
          || answer.status() == 414) {
        close();
      }
      return answer;
    } catch (SocketTimeoutException e) {
      close();
      return SILENCE;
    } catch (EOFException | SocketException e) {
      close();
      return CLOSED;
    }
  }

  private Answer read(boolean withoutBody) throws IOException {
    var status = Integer.parseInt(line().split(" ", 3)[1]);
    var headers = new HashMap<String, String>();
    for (var line = line(); !line.isEmpty(); line = line()) {
      var colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    if (status == 100) {
      return read(withoutBody);
    }
    var body = new ByteArrayOutputStream();
    var whole = true;
    if (!withoutBody && status != 204) {
      try {
        if (headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
          chunks(body);
        } else {
          bytes(Integer.parseInt(headers.getOrDefault("content-length", "0")), body);
        }
      } catch (EOFException | SocketException e) {
        whole = false;
      }
    }
    return new Answer(status, headers, body.toByteArray(), whole);
  }

  private void chunks(ByteArrayOutputStream body) throws IOException {
    int length;
    do {
      length = Integer.parseInt(line(), 16);
      bytes(length, body);
      line();
    } while (length > 0);
  }

  private void bytes(int length, ByteArrayOutputStream body) throws IOException {
    var bytes = in.readNBytes(length);
    body.writeBytes(bytes);
    if (bytes.length < length) {
      throw new EOFException();
    }
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (var c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }
}
