package io.github.bloomgate.http;

import static io.github.bloomgate.support.Bytes.joined;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.support.RawResponse;
import io.restassured.RestAssured;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Sends requests byte for byte, including ones that an HTTP client would correct or refuse to send.
 */
public final class RawHttp {

  private static final Duration MAX_WAIT = Duration.ofMinutes(2);

  private RawHttp() {}

  /** Sends a request with a body of known length. */
  static RawResponse send(String method, String target, String headers, byte[] body) {
    var head =
        "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(method, target, headers, body.length);
    return send(joined(head.getBytes(StandardCharsets.ISO_8859_1), body));
  }

  /** Sends a request whose body is chunked, without a length. */
  static RawResponse sendChunked(String method, String target, String headers, byte[] body) {
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
    return send(request.toByteArray());
  }

  public static RawResponse send(byte[] request) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      socket.setSoTimeout((int) MAX_WAIT.toMillis());
      // The response may arrive, and the connection may close, before the request is sent.
      var writer = new Thread(() -> write(socket, request), "raw-http-writer");
      writer.setDaemon(true);
      writer.start();
      var isHead = new String(request, 0, 5, StandardCharsets.US_ASCII).equals("HEAD ");
      var response = RawResponse.read(new BufferedInputStream(socket.getInputStream()), isHead);
      if (!response.isWhole()) {
        throw new IOException("The connection was closed after: " + response.text());
      }
      return response;
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

  /** Asserts that the response is this error and returns its problem document. */
  public static JsonNode refused(int status, String code, RawResponse answer) {
    assertEquals(status, answer.status(), answer.text());
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    assertFalse(answer.text().isEmpty());
    var problem = Api.tree(answer.text());
    assertEquals(status, problem.path("status").asInt());
    assertEquals(code, problem.path("code").asText());
    return problem;
  }
}
