package io.github.bloomgate.faults;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.SelfSigned;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the documented settings, the service accepts only TLS. */
@OnRedis
@Tag("topology")
class TlsOnlyIT {

  private static TestRedis redis;

  @TempDir Path folder;

  private static PackagedService start(SelfSigned own) {
    return PackagedService.start(
        redis.uri(),
        "quarkus.http.insecure-requests=disabled",
        "quarkus.http.ssl-port=0",
        "quarkus.tls.key-store.pem.0.cert=" + own.certificate(),
        "quarkus.tls.key-store.pem.0.key=" + own.key());
  }

  /** As docs/clients.md says. */
  @Test
  void aJavaClientSendsMoreRequestsAtOnceThanHttp2AllowsOverHttp1() throws Exception {
    var own = SelfSigned.in(folder);
    try (var service = start(own)) {
      var uri = URI.create("https://127.0.0.1:" + service.port() + "/v1/filters");
      var request = HttpRequest.newBuilder(uri).build();
      for (var version : HttpClient.Version.values()) {
        var client = HttpClient.newBuilder().version(version).sslContext(own.trusted()).build();
        // Requests before the first response would open connections of their own.
        assertEquals(version, client.send(request, BodyHandlers.ofString()).version());
        var failures =
            Stream.generate(() -> client.sendAsync(request, BodyHandlers.ofString()))
                .limit(200)
                .toList()
                .stream()
                .flatMap(answer -> failure(answer).stream())
                .collect(toSet());
        assertEquals(
            version == HttpClient.Version.HTTP_2
                ? Set.of("java.io.IOException: too many concurrent streams")
                : Set.of(),
            failures);
      }
    }
  }

  private static Optional<String> failure(CompletableFuture<HttpResponse<String>> answer) {
    try {
      assertEquals(200, InParallel.resultOf(answer).statusCode());
      return Optional.empty();
    } catch (RuntimeException failed) {
      return Optional.of(String.valueOf(failed.getCause()));
    }
  }

  @Test
  void noPortSpeaksPlainHttp() throws Exception {
    var own = SelfSigned.in(folder);
    try (var service = start(own)) {
      var uri = URI.create("https://127.0.0.1:" + service.port() + "/v1/filters");
      var client = HttpClient.newBuilder().sslContext(own.trusted()).build();
      var request = HttpRequest.newBuilder(uri).build();
      assertEquals(200, client.send(request, BodyHandlers.ofString()).statusCode());

      assertEquals(List.of(), service.log("http://"));
      try (var socket = new Socket("127.0.0.1", service.port())) {
        var plain = "GET /v1/filters HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(plain.getBytes(StandardCharsets.US_ASCII));
        var answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertFalse(answer.contains("HTTP/1.1"), answer);
      }
    }
  }
}
