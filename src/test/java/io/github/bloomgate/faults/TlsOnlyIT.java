package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.SelfSigned;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the documented settings, the service accepts only TLS. */
@OnRedis
@Tag("topology")
class TlsOnlyIT {

  private static TestRedis redis;

  @TempDir Path folder;

  @Test
  void noPortSpeaksPlainHttp() throws Exception {
    var own = SelfSigned.in(folder);
    try (var service =
        PackagedService.start(
            redis.uri(),
            "quarkus.http.insecure-requests=disabled",
            "quarkus.http.ssl-port=0",
            "quarkus.tls.key-store.pem.0.cert=" + own.certificate(),
            "quarkus.tls.key-store.pem.0.key=" + own.key())) {
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
