package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.support.SelfSigned;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.vertx.http.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With the documented settings the service accepts only TLS. */
@QuarkusTest
@TestProfile(TlsOnlyTest.Profile.class)
@Tag("topology")
class TlsOnlyTest {

  @TestHTTPResource(value = "/v1/filters", tls = true)
  URL secured;

  private final HttpServer server;

  TlsOnlyTest(HttpServer server) {
    this.server = server;
  }

  @Test
  void itIsReachedByTls() throws Exception {
    var client = HttpClient.newBuilder().sslContext(Certificate.own.trusted()).build();
    var request = HttpRequest.newBuilder(secured.toURI()).build();
    assertEquals(200, client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
  }

  @Test
  void thereIsNoPortForPlainHttp() throws IOException {
    assertEquals(-1, server.getPort());
    try (var socket = new Socket(secured.getHost(), secured.getPort())) {
      var request = "GET /v1/filters HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertFalse(answer.contains("HTTP/1.1"), answer);
    }
  }

  /** As the page says, on any free port. */
  public static final class Profile implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "quarkus.http.insecure-requests", "disabled", "quarkus.http.test-ssl-port", "0");
    }

    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(Certificate.class));
    }
  }

  /** The certificate of the service. */
  public static final class Certificate implements QuarkusTestResourceLifecycleManager {
    private static SelfSigned own;

    @Override
    public Map<String, String> start() {
      try {
        own = SelfSigned.in(Files.createTempDirectory("bloomgate-tls"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Map.of(
          "quarkus.tls.key-store.pem.0.cert", own.certificate().toString(),
          "quarkus.tls.key-store.pem.0.key", own.key().toString());
    }

    @Override
    public void stop() {}
  }
}
