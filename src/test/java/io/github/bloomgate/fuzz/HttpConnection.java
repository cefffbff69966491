package io.github.bloomgate.fuzz;

import io.github.bloomgate.support.RawResponse;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Map;

/** Sends requests byte for byte, one after the other, on a connection that is kept if it can be. */
final class HttpConnection implements AutoCloseable {

  private static final int MAX_WAIT_MILLIS = 120_000;

  private final int port;
  private Socket socket;
  private InputStream in;

  /** Nothing came back: the connection was closed. */
  static final RawResponse CLOSED = new RawResponse(0, Map.of(), new byte[0], false);

  /** Nothing came back in time. */
  static final RawResponse SILENCE = new RawResponse(-1, Map.of(), new byte[0], false);

  HttpConnection(int port) {
    this.port = port;
  }

  /**
   * Sends one request.
   *
   * @param lastWords whether the client closes its side after the request
   * @param withoutBody whether the response has no body regardless of its headers
   */
  RawResponse send(byte[] request, boolean lastWords, boolean withoutBody) throws IOException {
    var kept = socket != null;
    var answer = exchange(request, lastWords, withoutBody);
    if (kept && answer.status() == 0) {
      // It may have been closed behind the answer before.
      answer = exchange(request, lastWords, withoutBody);
    }
    return answer;
  }

  private RawResponse exchange(byte[] request, boolean lastWords, boolean withoutBody)
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
      var answer = RawResponse.read(in, withoutBody);
      if (lastWords
          || !answer.isWhole()
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

  @Override
  public void close() throws IOException {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }
}
