package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.regex.Pattern;

/** Sends lines of text in one request, straight from memory. */
final class LineUpload {

  private static final Pattern COUNT = Pattern.compile("(?:added|mightContain)Count\":(\\d+)");
  private static final int PART = 1 << 16;

  private static final String HEAD =
      """
      POST %s HTTP/1.1\r
      Host: localhost\r
      Content-Type: text/plain\r
      Content-Length: %d\r
      Connection: close\r
      \r
      """;

  private LineUpload() {}

  /** Sends the lines, and returns how many were added or may be contained. */
  static long send(int port, String path, byte[] lines) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var out = socket.getOutputStream();
      out.write(HEAD.formatted(path, lines.length).getBytes(ISO_8859_1));
      for (var at = 0; at < lines.length; at += PART) {
        out.write(lines, at, Math.min(PART, lines.length - at));
      }
      var answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      if (!answer.startsWith("HTTP/1.1 200")) {
        throw new IllegalStateException(path + " was answered with " + answer);
      }
      var count = COUNT.matcher(answer);
      if (!count.find()) {
        throw new IllegalStateException("No count in the answer " + answer);
      }
      return Long.parseLong(count.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
