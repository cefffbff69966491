package io.github.bloomgate.http;

import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.RawResponse;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A stream that is sent and answered at the same time, on one connection. */
final class Conversation implements AutoCloseable {

  private static final int MAX_WAIT_MILLIS = 120_000;

  private final Socket socket;
  private final InputStream in;
  private boolean headRead;

  private Conversation(Socket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  /** Sends the head of a POST with lines of text in chunks. */
  static Conversation open(String target) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
    socket.setSoTimeout(MAX_WAIT_MILLIS);
    var conversation = new Conversation(socket);
    conversation.sendRaw(
        "POST %s%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n%s\r\n\r\n"
            .formatted(
                Api.FILTERS, target, "Content-Type: text/plain", "Transfer-Encoding: chunked"));
    return conversation;
  }

  /** Sends text as one chunk. */
  void send(String text) throws IOException {
    var length = text.getBytes(StandardCharsets.UTF_8).length;
    sendRaw("%x\r\n%s\r\n".formatted(length, text));
  }

  /** Sends chunks until it has been blocked for a second because the other side does not read. */
  void sendUntilStuck(String chunk, int atMost) throws IOException {
    socket.getOutputStream().flush();
    var sender =
        InParallel.run(
            () -> {
              try {
                for (var sent = 0; sent < atMost; sent += chunk.length()) {
                  send(chunk);
                }
              } catch (IOException closed) {
                // The test closed it.
              }
            });
    try {
      sender.get(1, TimeUnit.SECONDS);
    } catch (TimeoutException stuck) {
      // Expected.
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException(e);
    }
  }

  /** Ends the request. The response may continue. */
  void finish() throws IOException {
    sendRaw("0\r\n\r\n");
  }

  /** Whether no byte of the response has arrived. */
  boolean isUnanswered() throws IOException {
    return in.available() == 0;
  }

  /** Waits for the response to begin. */
  void awaitHead() throws IOException {
    var head = head();
    if (!head.startsWith("HTTP/1.1 200")) {
      throw new IOException(head);
    }
  }

  /** The next chunk of the response; empty at the end. Fails if the connection ends before. */
  String receive() throws IOException {
    if (!headRead) {
      headRead = true;
      var head = head();
      if (!head.startsWith("HTTP/1.1 200") || !head.contains("chunked")) {
        throw new IOException(head);
      }
    }
    return new String(RawResponse.chunk(in), StandardCharsets.UTF_8);
  }

  /** The rest of the response in one string. */
  String receiveAll() throws IOException {
    var all = new StringBuilder();
    for (var chunk = receive(); !chunk.isEmpty(); chunk = receive()) {
      all.append(chunk);
    }
    return all.toString();
  }

  /** A response that begins after the request has ended, or an error. */
  RawResponse receiveWhole() throws IOException {
    return RawResponse.read(in, false);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void sendRaw(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private String head() throws IOException {
    var head = new StringBuilder();
    for (var line = RawResponse.line(in); !line.isEmpty(); line = RawResponse.line(in)) {
      head.append(line).append('\n');
    }
    return head.toString();
  }
}
