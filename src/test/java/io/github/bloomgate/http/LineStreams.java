package io.github.bloomgate.http;

import static io.github.bloomgate.support.Bytes.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.RawResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Streams of lines over HTTP, and the format of the answers. */
abstract class LineStreams {

  static final String TEXT = "Content-Type: text/plain\r\n";
  static final String NDJSON = "Content-Type: application/x-ndjson\r\n";
  static final String GZIP = "Content-Encoding: gzip\r\n";

  static RawResponse send(String name, String target, String headers, byte[] body) {
    return send("POST", name, target, headers, body);
  }

  static RawResponse send(String method, String name, String target, String headers, byte[] body) {
    return RawHttp.send(method, Api.FILTERS + name + "/" + target, headers, body);
  }

  static RawResponse sendChunked(String name, String target, String headers, byte[] body) {
    return RawHttp.sendChunked("POST", Api.FILTERS + name + "/" + target, headers, body);
  }

  static String ok(RawResponse answer) {
    assertEquals(200, answer.status(), answer.text());
    return answer.text();
  }

  /** Lines with the numbers from one, inclusive, to another, exclusive. */
  static byte[] lines(int from, int to, String format) {
    return utf8(
        IntStream.range(from, to).mapToObj(format::formatted).collect(Collectors.joining()));
  }
}
