package io.github.bloomgate.rebuild.source;

import static io.github.bloomgate.rebuild.source.SourceFolderTest.drain;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.support.Failures;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.TestHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that are read by HTTP. */
class UrlOpenerTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private TestHttp server;
  private UrlOpener opener;

  @BeforeEach
  void start() throws IOException {
    server = new TestHttp();
    opener = new UrlOpener(new AllowedUrls(List.of(server.url("/ok"))), TIMEOUT, TIMEOUT);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void linesAreRead() {
    server.answer("/ok", "200 OK", utf8("a\r\nb\n\nc"));
    assertEquals(List.of("a", "b", "", "c"), read("/ok"));
    assertTrue(server.requests().contains("GET /ok HTTP/1.1"), server.requests().toString());
  }

  @Test
  void linesOfJsonAreRead() {
    server.answer("/ok/x?day=1", "200 OK", utf8("\"a\"\n\"\\u00e4\"\n"));
    var source =
        new Origin.Url(server.url("/ok/x?day=1"), LineFormat.NDJSON, ElementEncoding.UTF_8);
    try (var reader = opener.open(source)) {
      assertEquals(List.of("a", "\u00e4"), drain(reader));
    }
  }

  @Test
  void manyLinesAreReadWholeInChunksAndInGzip() throws IOException {
    var lines = IntStream.range(0, 100_000).mapToObj(i -> "line " + i * 7919L).toList();
    var body = utf8(String.join("\n", lines));
    server.answerRaw("/ok/chunks", chunked(body, true));
    assertEquals(lines, read("/ok/chunks"));
    server.answer("/ok/gzip", "200 OK\r\nContent-Encoding: gzip", zipped(body));
    assertEquals(lines, read("/ok/gzip"));
  }

  @Test
  void aGzipFileIsDecompressedOnceForAnyHeaders() throws IOException {
    var zipped = zipped(utf8("a\nb\n"));
    server.answer("/ok/list.txt.gz", "200 OK\r\nContent-Type: application/gzip", zipped);
    assertEquals(List.of("a", "b"), read("/ok/list.txt.gz"));
    server.answer("/ok/coded.gz", "200 OK\r\nContent-Encoding: gzip", zipped);
    assertEquals(List.of("a", "b"), read("/ok/coded.gz"));
    server.answer("/ok/zipped", "200 OK", zipped);
    assertEquals(List.of("a", "b"), read("/ok/zipped"));
    server.answer("/ok/twice.gz", "200 OK\r\nContent-Encoding: X-GZip", zipped(zipped));
    assertEquals(List.of("a", "b"), read("/ok/twice.gz"));
    server.answer("/ok/plain.gz", "200 OK\r\nContent-Encoding: ", utf8("a\nb\n"));
    assertEquals(List.of("a", "b"), read("/ok/plain.gz"));
    server.answer("/ok/empty.gz", "200 OK", new byte[0]);
    assertFails("/ok/empty.gz");
    server.answer("/ok/lie", "200 OK\r\nContent-Encoding: gzip", utf8("a\nb\n"));
    assertFails("/ok/lie");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "201 Created",
        "204 No Content",
        "206 Partial Content",
        "302 Found\r\nLocation: /ok",
        "304 Not Modified",
        "404 Not Found",
        "500 Oops"
      })
  void anyStatusBut200Fails(String status) {
    server.answer(
        "/ok",
        status,
        status.startsWith("204") || status.startsWith("304") ? utf8("") : utf8("a\n"));
    var failure = assertFails("/ok");
    assertTrue(failure.getMessage().contains(status.substring(0, 3)), failure.getMessage());
    assertEquals(status.startsWith("302"), failure.getMessage().contains("Redirects"));
    assertEquals(1, server.requests().stream().filter(line -> line.startsWith("GET")).count());
  }

  @Test
  void aPageForPeopleFails() {
    server.answer("/ok", "200 OK\r\nContent-Type: Text/HTML; charset=utf-8", utf8("<html>\n"));
    assertTrue(assertFails("/ok").getMessage().contains("HTML"));
  }

  @Test
  void aBodyThatIsCutShortFails() throws IOException {
    var body = utf8("a\nb\nc\n");
    var whole = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na\nb\nc\n";
    server.answerRaw("/ok/length", utf8(whole));
    assertFails("/ok/length");
    server.answerRaw("/ok/chunks", chunked(body, false));
    assertFails("/ok/chunks");
    var zipped = zipped(body);
    server.answer(
        "/ok/gzip", "200 OK\r\nContent-Encoding: gzip", Arrays.copyOf(zipped, zipped.length - 1));
    assertFails("/ok/gzip");
    server.answerRaw("/ok/head", utf8("HTTP/1.1 200 OK\r\nContent-Le"));
    assertFails("/ok/head");
    server.answerRaw("/ok/nothing", new byte[0]);
    assertFails("/ok/nothing");
  }

  @Test
  void aBodyWithoutAVerifiableEndFails() {
    for (var path : List.of("/ok", "/ok/plain.gz")) {
      server.answerRaw(path, utf8("HTTP/1.1 200 OK\r\n\r\na\nb\n"));
      assertTrue(assertFails(path).getMessage().contains("Content-Length"), path);
    }
    for (var headers :
        List.of(
            "Transfer-Encoding: identity",
            "Transfer-Encoding: gzip, chunked",
            "Content-Length: 4\r\nTransfer-Encoding: chunked")) {
      server.answerRaw("/ok", utf8("HTTP/1.1 200 OK\r\n" + headers + "\r\n\r\na\nb\n"));
      assertTrue(assertFails("/ok").getMessage().contains("Content-Length"), headers);
    }
  }

  @Test
  void anUnknownCodingFails() {
    server.answer("/ok", "200 OK\r\nContent-Encoding: br", utf8("a\n"));
    assertFails("/ok");
  }

  @Test
  void aMissingServerFails() {
    server.close();
    assertFails("/ok");
  }

  @Test
  void aReadThatWaitsEndsWhenTheReaderIsClosed() throws Exception {
    var held = server.hold("/ok", utf8("a\n"), utf8("b\n"));
    var reader = opener.open(url("/ok"));
    var reading = InParallel.run(() -> SourceFolderTest.assertFails(() -> drain(reader)));
    held.awaitRequest();
    reader.close();
    reading.get(20, TimeUnit.SECONDS);
    assertFalse(server.requests().isEmpty());
  }

  @Test
  void urlsThatAreNotAllowedAreNotRequested() {
    server.answer("/secret", "200 OK", utf8("a\n"));
    Failures.assertFails(ErrorCode.INVALID_REQUEST, () -> opener.open(url("/secret")));
    assertEquals(List.of(), server.requests());
  }

  private List<String> read(String path) {
    try (var reader = opener.open(url(path))) {
      return drain(reader);
    }
  }

  private BloomException assertFails(String path) {
    return SourceFolderTest.assertFails(() -> read(path));
  }

  private Origin.Url url(String path) {
    return new Origin.Url(server.url(path), LineFormat.TEXT, ElementEncoding.UTF_8);
  }

  private static byte[] chunked(byte[] body, boolean whole) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(utf8("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
    out.writeBytes(utf8(Integer.toHexString(body.length) + "\r\n"));
    out.writeBytes(body);
    out.writeBytes(utf8("\r\n"));
    if (whole) {
      out.writeBytes(utf8("0\r\n\r\n"));
    }
    return out.toByteArray();
  }
}
