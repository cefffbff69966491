package io.github.bloomgate.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** Streams of lines sent over HTTP, and how their answers look. */
abstract class LineStreams {

  static final String TEXT = "Content-Type: text/plain\r\n";
  static final String NDJSON = "Content-Type: application/x-ndjson\r\n";
  static final String GZIP = "Content-Encoding: gzip\r\n";

  static RawHttp.Answer send(String name, String target, String headers, byte[] body) {
    return send("POST", name, target, headers, body);
  }

  static RawHttp.Answer send(
      String method, String name, String target, String headers, byte[] body) {
    return RawHttp.send(RestAssured.port, method, Api.FILTERS + name + "/" + target, headers, body);
  }

  static String ok(RawHttp.Answer answer) {
    assertEquals(200, answer.status(), answer.body());
    return answer.body();
  }

  static JsonPath refused(int status, String code, RawHttp.Answer answer) {
    assertEquals(status, answer.status(), answer.body());
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    var problem = JsonPath.from(answer.body());
    assertEquals(code, problem.getString("code"));
    return problem;
  }

  /** Lines of the numbers from one, included, to another, excluded. */
  static byte[] lines(int from, int to, String format) {
    return utf8(
        IntStream.range(from, to).mapToObj(format::formatted).collect(Collectors.joining()));
  }

  static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  static byte[] zipped(byte[] content) {
    var zipped = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(zipped)) {
      gzip.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return zipped.toByteArray();
  }
}
