package io.github.bloomgate.rebuild.source;

import static io.github.bloomgate.rebuild.source.SourceFolderTest.drain;
import static io.github.bloomgate.support.Bytes.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.support.SelfSigned;
import io.github.bloomgate.support.SignedBucket;
import io.github.bloomgate.support.TestHttp;
import io.quarkus.tls.BaseTlsConfiguration;
import io.quarkus.tls.TlsConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which servers receive credentials, and what is said if they refuse them. */
class UrlCredentialsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final String SETTING = "bloomgate.sources.credentials-file";
  private static final String HEADER = "Authorization: Bearer s3cret";

  private TestHttp server;
  private TestHttp other;

  @BeforeEach
  void start() throws IOException {
    server = new TestHttp();
    other = new TestHttp();
  }

  @AfterEach
  void stop() {
    server.close();
    other.close();
  }

  @Test
  void aHeaderIsSentToItsServerOnly() {
    for (var any : List.of(server, other)) {
      any.answer("/list", "200 OK", utf8("a\n"));
      assertEquals(List.of("a"), read(any.url("/list"), server.url("") + " " + HEADER));
    }
    assertEquals(1, server.requests().stream().filter(HEADER::equals).count());
    assertFalse(other.requests().toString().contains("s3cret"), other.requests().toString());
  }

  @Test
  void aHeaderIsNotSentWithoutTlsUnlessTheLineSaysHttp() {
    server.answer("/list", "200 OK", utf8("a\n"));
    var host = server.url("").substring("http://".length());
    assertEquals(List.of("a"), read(server.url("/list"), host + " " + HEADER));
    assertFalse(server.requests().toString().contains("s3cret"), server.requests().toString());
  }

  @Test
  void aHeaderIsSentOverTls(@TempDir Path folder) throws Exception {
    var own = SelfSigned.in(folder);
    try (var secured = TestHttp.withTls(own)) {
      secured.answer("/list", "200 OK", utf8("a\n"));
      var host = secured.url("").substring("https://".length());
      var opener = opener(secured.url("/"), Optional.of(trusting(own)), host + " " + HEADER);
      try (var reader = opener.open(lines(secured.url("/list")))) {
        assertEquals(List.of("a"), drain(reader));
      }
      assertTrue(secured.requests().contains(HEADER), secured.requests().toString());
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

  @ParameterizedTest
  @ValueSource(strings = {HEADER, "s3 region=auto accessKey=AK secretKey=s3cret"})
  void noRedirectIsFollowed(String credentials) {
    for (var status : List.of("301 Moved", "302 Found", "303 See Other", "307 T", "308 P")) {
      for (var target : List.of(other.url("/list"), server.url("/elsewhere"))) {
        server.answer("/list", status + "\r\nLocation: " + target, utf8(""));
        var message = failure(server.url("/list"), server.url("") + " " + credentials);
        assertTrue(message.contains("Redirects are not followed"), message);
      }
    }
    assertEquals(List.of(), other.requests());
    assertFalse(server.requests().contains("GET /elsewhere HTTP/1.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"401 Unauthorized", "403 Forbidden"})
  void refusedCredentialsAreReportedWithoutThem(String status) {
    server.answer("/list", status + "\r\nWWW-Authenticate: Bearer", utf8("s3cret"));
    var message = failure(server.url("/list"), server.url("") + " " + HEADER);
    assertTrue(message.contains(status.substring(0, 3)), message);
    assertTrue(message.contains(server.url("") + " "), message);
    assertTrue(message.contains("Correct or renew them"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"401 Unauthorized", "403 Forbidden"})
  void missingCredentialsAreReported(String status) {
    server.answer("/list", status, utf8(""));
    var message = failure(server.url("/list"), other.url("") + " " + HEADER);
    assertTrue(message.contains("add some for " + server.url("") + " to"), message);
  }

  @Test
  void anotherStatusIsNotBlamedOnTheCredentials() {
    server.answer("/list", "404 Not Found", utf8(""));
    var message = failure(server.url("/list"), server.url("") + " " + HEADER);
    assertFalse(message.contains(SETTING), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/bucket/list.txt",
        "/bucket/2026/a+b%20c@d%25e(1)*,~.txt",
        "/bucket/caf%c3%a9=1&x.txt?versionId=a+b/c%3D&response-content-type=text/plain",
        "?list-type=2",
      })
  void aBucketAcceptsTheSignature(String path) throws IOException {
    try (var bucket = new SignedBucket("AK", "s3cret", "eu-central-1")) {
      var good = " s3 region=eu-central-1 accessKey=AK secretKey=s3cret";
      assertEquals(List.of("a"), read(bucket.url(path), bucket.url("") + good));
      for (var bad :
          List.of(
              good.replace("s3cret", "s3cret2"),
              good.replace("AK", "AL"),
              good.replace("eu-central-1", "us-east-1"),
              good + " sessionToken=unknown")) {
        var message = failure(bucket.url(path), bucket.url("") + bad);
        assertTrue(message.contains("403") && message.contains("the region"), message);
      }
    }
  }

  private String failure(String url, String line) {
    var failure = SourceFolderTest.assertFails(() -> read(url, line));
    assertFalse(failure.getMessage().contains("s3cret"), failure.getMessage());
    return failure.getMessage();
  }

  private static List<String> read(String url, String line) {
    try (var reader = opener(url, Optional.empty(), line).open(lines(url))) {
      return drain(reader);
    }
  }

  private static UrlOpener opener(String url, Optional<TlsConfiguration> tls, String line) {
    var allowed = url.contains("?") ? url.substring(0, url.indexOf('?')) : url;
    return new UrlOpener(
        new AllowedUrls(List.of(allowed)),
        new SourceCredentials(Optional.of(line), Optional.empty()),
        tls,
        TIMEOUT,
        TIMEOUT);
  }

  private static Origin.Url lines(String url) {
    return new Origin.Url(url, LineFormat.TEXT, ElementEncoding.UTF_8);
  }
}
