package io.github.bloomgate.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.bloomgate.support.SelfSigned;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command with a server that responds like the service. {@code PackagedCommandIT} tests the
 * packaged command.
 */
class HealthCommandTest {

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private HttpServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "0.0.0.0", "::"})
  void itAsksAtTheAddressOfTheSettings(String host) throws Exception {
    var port = serve(HttpServer.create(ANY_PORT, 0), 0);

    var printed = run(Map.of("quarkus.http.host", host, "quarkus.http.port", port));

    assertTrue(printed.matches("http://\\S+:" + port + "/q/health/ready: ready\\R"), printed);
  }

  @Test
  void itAsksAtTheManagementPortIfThereIsOne() throws Exception {
    var port = serve(HttpServer.create(ANY_PORT, 0), 0);

    var printed =
        run(
            Map.of(
                "quarkus.http.insecure-requests", "disabled",
                "quarkus.http.host", "192.0.2.1",
                "bloomgate.management.port", port));

    assertTrue(printed.startsWith("http://127.0.0.1:" + port), printed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"disabled", "redirect"})
  void itSpeaksTlsIfPlainRequestsAreNotAnswered(String insecure, @TempDir Path folder)
      throws Exception {
    var https = HttpsServer.create(ANY_PORT, 0);
    https.setHttpsConfigurator(new HttpsConfigurator(SelfSigned.in(folder).own()));
    var port = serve(https, 0);

    var printed =
        run(Map.of("quarkus.http.insecure-requests", insecure, "quarkus.http.ssl-port", port));

    assertTrue(printed.startsWith("https://127.0.0.1:" + port), printed);
  }

  @Test
  void aServiceThatIsNotReadyIsAFailureWithItsReason() throws Exception {
    var port = serve(HttpServer.create(ANY_PORT, 0), Integer.MAX_VALUE);

    var failed = failure(Map.of("quarkus.http.port", port));

    assertEquals(
        "http://127.0.0.1:%s/q/health/ready: status 503%nthe reason".formatted(port), failed);
  }

  @Test
  void aPortWithoutAListenerIsAFailure() throws Exception {
    int port;
    try (var closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }

    var failed = failure(Map.of("quarkus.http.port", Integer.toString(port)));

    assertTrue(failed.contains(":" + port + "/q/health/ready: no response ("), failed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"quarkus.http.port", "bloomgate.management.port"})
  void aPortThatTheServiceChoosesIsAFailure(String setting) {
    var failed = failure(Map.of(setting, "0"));

    assertTrue(failed.contains(setting), failed);
  }

  @Test
  void itWaitsUntilTheServiceIsReady() throws Exception {
    var port = serve(HttpServer.create(ANY_PORT, 0), 2);

    var printed = run(Map.of("quarkus.http.port", port), "--wait", "10m");

    assertTrue(printed.endsWith("ready\n"), printed);
  }

  @Test
  void itWaitsNoLongerThanTheGivenTime() throws Exception {
    var port = serve(HttpServer.create(ANY_PORT, 0), Integer.MAX_VALUE);

    var failed = failure(Map.of("quarkus.http.port", port), "--wait", "1ms");

    assertFalse(failed.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"more", "--wait", "--wait soon", "--wait 1s more", "--for 1s"})
  void itRefusesOtherArguments(String arguments) {
    assertThrows(IllegalArgumentException.class, () -> run(Map.of(), arguments.split(" ", -1)));
  }

  /** Responds with 503 to the first requests and 200 to all others. */
  private String serve(HttpServer created, int refused) {
    server = created;
    var asked = new AtomicInteger();
    server.createContext(
        "/q/health/ready",
        exchange -> {
          var body = "the reason".getBytes(StandardCharsets.UTF_8);
          var isReady = asked.incrementAndGet() > refused;
          exchange.sendResponseHeaders(isReady ? 200 : 503, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return Integer.toString(server.getAddress().getPort());
  }

  private static String failure(Map<String, String> settings, String... arguments) {
    return assertThrows(IOException.class, () -> run(settings, arguments)).getMessage();
  }

  private static String run(Map<String, String> settings, String... arguments) throws IOException {
    var config =
        new SmallRyeConfigBuilder()
            .withSources(new PropertiesConfigSource(settings, "settings", 100))
            .build();
    return HealthCommand.run(List.of(arguments), config);
  }
}
