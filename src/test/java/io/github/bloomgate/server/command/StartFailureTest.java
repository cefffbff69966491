package io.github.bloomgate.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The explanations of a failed start. */
class StartFailureTest {

  private static final int OF_SYSTEM_PROPERTIES = 400;
  private static final int OF_THE_PACKAGE = 250;

  @Test
  void aTakenPortIsNamedWithItsSetting() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = Integer.toString(taken.getLocalPort());

      for (var setting :
          new String[] {
            "quarkus.http.port", "quarkus.http.ssl-port", "bloomgate.management.port"
          }) {
        assertEquals(
            Optional.of(
                "It cannot listen on port %s of 127.0.0.1 (Address already in use): end the process that uses this port, or set %s to a free port from 1024 to 65535."
                    .formatted(port, setting)),
            StartFailure.explain(failedWith(new IOException("bind")), config(setting, port)));
      }
      assertEquals(
          Optional.empty(),
          StartFailure.explain(
              failedWith(new IOException("bind")),
              config("quarkus.http.port", port, "quarkus.http.insecure-requests", "disabled")));
    }
  }

  @Test
  void anInvalidPortIsNamedWithItsSetting() {
    assertEquals(
        "quarkus.http.port is 99999, but must be from 0 to 65535.",
        explained("port must be <= 65535", "quarkus.http.port", "99999"));
  }

  @Test
  void anAddressOfNoInterfaceIsNamedWithItsSetting() {
    // Reserved for documentation.
    assertEquals(
        "It cannot listen on the address 192.0.2.1 (Cannot assign requested address): set quarkus.http.host to an address of this machine, or to 0.0.0.0 for all of them.",
        explained("bind", "quarkus.http.host", "192.0.2.1"));
    var unknown = explained("bind", "bloomgate.management.host", "nosuch.invalid");
    assertTrue(
        unknown.startsWith(
            "It cannot listen on the address nosuch.invalid (unknown host): set"
                + " bloomgate.management.host"),
        unknown);
  }

  @Test
  void aMissingFileIsNamedWithItsSetting() {
    var failure = new UncheckedIOException(new NoSuchFileException("/etc/bloomgate/cert.pem"));

    assertEquals(
        Optional.of(
            "/etc/bloomgate/cert.pem (no such file). Check the value of"
                + " quarkus.http.ssl.certificate.files."),
        StartFailure.explain(
            failedWith(failure),
            config(
                "quarkus.http.ssl.certificate.files",
                "/etc/bloomgate/cert.pem",
                "user.dir",
                "/etc/bloomgate")));
  }

  @Test
  void certificateErrorsNameTheTlsSettings() {
    assertEquals(
        "Invalid key/certificate pair. Check the value of quarkus.tls.key-store.pem.0.cert.",
        explained("Invalid key/certificate pair.", "quarkus.tls.key-store.pem.0.cert", "cert.pem"));
  }

  @Test
  void ourOwnMessageIsPrintedAlone() {
    var failure = new ConfigurationException("The folder is in use.", new IOException("locked"));

    assertEquals(
        Optional.of("The folder is in use."),
        StartFailure.explain(failedWith(failure), config("bloomgate.a-setting", "locked")));
  }

  @Test
  void aFailureThatNoSettingExplainsKeepsItsStackTrace() {
    var failure = failedWith(new IllegalStateException("a packaged value, and an operator's"));

    assertEquals(Optional.empty(), StartFailure.explain(failure, config("bloomgate.b", "value2")));
    var packaged =
        new SmallRyeConfigBuilder()
            .withSources(
                new PropertiesConfigSource(
                    Map.of("bloomgate.a-setting", "packaged value"), "packaged", OF_THE_PACKAGE))
            .build();
    assertEquals(Optional.empty(), StartFailure.explain(failure, packaged));
  }

  @Test
  void noPasswordOfAnAddressIsPrinted() {
    var address = "redis://:s3cret PW@redis.example.com";

    var line = explained("Illegal character: " + address, "quarkus.redis.hosts", address);

    assertFalse(line.contains("s3cret"), line);
    assertFalse(line.contains("PW"), line);
    assertTrue(line.endsWith("Check the value of quarkus.redis.hosts."), line);
  }

  private static String explained(String message, String... settings) {
    return StartFailure.explain(failedWith(new IllegalArgumentException(message)), config(settings))
        .orElseThrow();
  }

  /** Wraps the failure like the framework does. */
  private static Throwable failedWith(Exception failure) {
    return new RuntimeException("Failed to start quarkus", failure);
  }

  private static SmallRyeConfig config(String... namesAndValues) {
    var settings =
        new HashMap<>(
            Map.of(
                "quarkus.http.host", "127.0.0.1",
                "quarkus.http.port", "0",
                "bloomgate.management.host", "127.0.0.1",
                "bloomgate.management.port", "0"));
    for (var i = 0; i < namesAndValues.length; i += 2) {
      settings.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return new SmallRyeConfigBuilder()
        .withSources(new PropertiesConfigSource(settings, "operator", OF_SYSTEM_PROPERTIES))
        .build();
  }
}
