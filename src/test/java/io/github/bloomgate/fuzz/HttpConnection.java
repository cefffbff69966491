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

/** Sends requests byte for byte, one after the other, and reuses the connection if possible. */
final class HttpConnection implements AutoCloseable {

  private static final int MAX_WAIT_MILLIS = 120_000;

  private final int port;
  private Socket socket;
  private InputStream in;

  /** The connection was closed without a response. */
  static final RawResponse CLOSED = new RawResponse(0, Map.of(), new byte[0], false);

  /** The response did not come in time. */
  static final RawResponse SILENCE = new RawResponse(-1, Map.of(), new byte[0], false);

  HttpConnection(int port) {
    this.port = port;
  }

  /**
   * Sends a request.
   *
   * @param lastWords whether the client closes its side after the request
   * @param withoutBody whether the response has no body, whatever its headers say
   */
  RawResponse send(byte[] request, boolean lastWords, boolean withoutBody) throws IOException {
    var kept = socket != null;
    var answer = exchange(request, lastWords, withoutBody);
    if (kept && answer.status() == 0) {
      // The service may have closed the connection after the last response.
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
        // The service may refuse a body without reading it, so there may be a response.
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
