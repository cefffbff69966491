package io.github.bloomgate.rebuild.source;

import static io.github.bloomgate.rebuild.source.SourceFolderTest.drain;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.support.Failures;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.SelfSigned;
import io.github.bloomgate.support.TestHttp;
import io.quarkus.tls.BaseTlsConfiguration;
import io.quarkus.tls.TlsConfiguration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    opener = opener(server.url("/ok"), Optional.empty());
  }

  private static UrlOpener opener(String allowed, Optional<TlsConfiguration> tls) {
    var credentials = new SourceCredentials(Optional.empty(), Optional.empty());
    return new UrlOpener(new AllowedUrls(List.of(allowed)), credentials, tls, TIMEOUT, TIMEOUT);
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Text/HTML; charset=utf-8",
        "application/xhtml+xml",
        "application/json",
        "application/problem+json",
        "text/xml",
        "application/x-ndjson",
        "application/pdf",
        "application/zip",
        "image/png",
        "multipart/byteranges; boundary=x"
      })
  void aResponseOfAnotherTypeFails(String type) {
    server.answer("/ok", "200 OK\r\nContent-Type: " + type, utf8("a\n"));
    var message = assertFails("/ok").getMessage();
    assertTrue(message.contains("text/plain, text/csv"), message);
    assertEquals(type.contains("html") || type.contains("HTML"), message.contains("login"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "Text/Plain;charset=UTF-8",
        "text/csv; charset=iso-8859-1",
        "application/octet-stream",
        "binary/octet-stream",
        ""
      })
  void aResponseOfLinesIsRead(String type) {
    server.answer("/ok", "200 OK\r\nContent-Type: " + type, utf8("a\n"));
    assertEquals(List.of("a"), read("/ok"));
  }

  @Test
  void theTypeDependsOnTheFormat() {
    for (var type : List.of("application/x-ndjson", "application/jsonl", "text/plain")) {
      server.answer("/ok", "200 OK\r\nContent-Type: " + type, utf8("\"a\"\n"));
      try (var reader = opener.open(ndjson())) {
        assertEquals(List.of("a"), drain(reader), type);
      }
    }
    server.answer("/ok", "200 OK\r\nContent-Type: application/json", utf8("\"sorry\"\n"));
    SourceFolderTest.assertFails(() -> opener.open(ndjson()));
  }

  private Origin.Url ndjson() {
    return new Origin.Url(server.url("/ok"), LineFormat.NDJSON, ElementEncoding.UTF_8);
  }

  @Test
  void linesMustBeInTheDeclaredCharsetIfItIsUtf8() {
    var latin = "caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
    server.answer("/ok", "200 OK\r\nContent-Type: text/plain", latin);
    assertEquals(1, read("/ok").size());
    server.answer("/ok", "200 OK\r\nContent-Type: text/plain; charset=latin1", latin);
    assertEquals(1, read("/ok").size());
    server.answer("/ok", "200 OK\r\nContent-Type: text/plain; charset=\"utf-8\"", latin);
    assertFails("/ok");
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
    assertFailsWith("does not accept connections", opener, server.url("/ok"));
    var url = "http://no-such-host.invalid/ok";
    assertFailsWith("cannot be resolved", opener(url, Optional.empty()), url);
  }

  @Test
  void aServerOfAPrivateCaIsTrustedIfThatIsConfigured(@TempDir Path folder) throws Exception {
    var own = SelfSigned.in(folder);
    try (var secured = TestHttp.withTls(own)) {
      var url = secured.url("/ok");
      secured.answer("/ok", "200 OK", utf8("a\n"));
      assertFailsWith(
          "quarkus.tls.sources.trust-store.pem.certs", opener(url, Optional.empty()), url);
      var trusting = opener(url, Optional.of(trusting(own)));
      try (var reader = trusting.open(lines(url))) {
        assertEquals(List.of("a"), drain(reader));
      }
    }
  }

  @Test
  void aServerWithoutTlsIsNotReadByTls() throws Exception {
    try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var unused = InParallel.run(() -> answerInPlainText(socket));
      var url = "https://127.0.0.1:" + socket.getLocalPort() + "/ok";
      assertFailsWith("does not use TLS", opener(url, Optional.empty()), url);
    }
  }

  private static void answerInPlainText(ServerSocket socket) {
    // The client tries again.
    while (!socket.isClosed()) {
      try (var connection = socket.accept()) {
        connection.getOutputStream().write(utf8("HTTP/1.1 400 Bad Request\r\n\r\n"));
        connection.getInputStream().readNBytes(1);
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static TlsConfiguration trusting(SelfSigned own) {
    return new BaseTlsConfiguration() {
      @Override
      public SSLContext createSSLContext() throws Exception {
        return own.trusted();
      }
    };
  }

  private static void assertFailsWith(String reason, UrlOpener opener, String url) {
    var failure = SourceFolderTest.assertFails(() -> opener.open(lines(url)));
    assertTrue(failure.getMessage().contains(reason), failure.getMessage());
  }

  @Test
  void theReasonOfATlsErrorIsNamed() {
    assertEquals(UrlFailure.EXPIRED, tls(new CertificateExpiredException("on a day")));
    assertEquals(UrlFailure.NOT_YET_VALID, tls(new CertificateNotYetValidException("on a day")));
    assertEquals(
        UrlFailure.OTHER_HOST,
        tls(new CertificateException("No subject alternative DNS name matching a.b found.")));
    assertEquals(UrlFailure.TLS, tls(new CertificateException("Unknown")));
    assertEquals(UrlFailure.TLS, UrlFailure.of(new SSLHandshakeException("handshake_failure")));
    assertEquals(UrlFailure.BROKEN, UrlFailure.of(new IOException("reset")));
  }

  private static UrlFailure tls(CertificateException reason) {
    var failure = new SSLHandshakeException("failed");
    failure.initCause(reason);
    return UrlFailure.of(failure);
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
    return lines(server.url(path));
  }

  private static Origin.Url lines(String url) {
    return new Origin.Url(url, LineFormat.TEXT, ElementEncoding.UTF_8);
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
