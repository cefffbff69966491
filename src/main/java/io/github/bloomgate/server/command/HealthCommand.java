package io.github.bloomgate.server.command;

import io.quarkus.runtime.configuration.DurationConverter;
import io.vertx.core.net.impl.TrustAllTrustManager;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.eclipse.microprofile.config.Config;

/** Asks the service that runs with the same settings whether it is ready. */
final class HealthCommand {

  static final String NAME = "health";

  static final String USAGE =
      """
        health [--wait <duration>]
            Asks the service on this machine whether it is ready. The exit status is 0 if it is,
            1 if it is not or does not respond. Run it with the settings of the service, from which
            it takes the address. --wait retries for up to the given time, such as 30s.
      """;

  private static final String PATH = "/q/health/ready";

  private static final int TIMEOUT_MILLIS = (int) TimeUnit.SECONDS.toMillis(4);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final Set<String> ALL_ADDRESSES = Set.of("0.0.0.0", "::", "[::]");

  private HealthCommand() {}

  /**
   * Returns the line to print if the service is ready.
   *
   * @throws IOException if it is not ready, or cannot be asked
   * @throws IllegalArgumentException if the arguments do not match the usage
   */
  static String run(List<String> arguments, Config config) throws IOException {
    var end = System.nanoTime() + waitTime(arguments).toNanos();
    var address = address(config);
    while (true) {
      try {
        requireReady(address);
        return "%s: ready%n".formatted(address);
      } catch (IOException notReady) {
        if (System.nanoTime() - end >= 0) {
          throw notReady;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static Duration waitTime(List<String> arguments) {
    if (arguments.isEmpty()) {
      return Duration.ZERO;
    }
    if (arguments.size() != 2 || !arguments.get(0).equals("--wait")) {
      throw new IllegalArgumentException("The only option of health is --wait <duration>.");
    }
    try {
      return DurationConverter.parseDuration(arguments.get(1));
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(
          "'%s' is not a duration such as 30s.".formatted(arguments.get(1)), malformed);
    }
  }

  /** Settings that are not set have the defaults of the framework. */
  private static URI address(Config config) throws IOException {
    if (config.getOptionalValue(Listener.MANAGEMENT.portSetting(), String.class).isPresent()) {
      return address("http", Listener.MANAGEMENT, 0, config);
    }
    var isPlain =
        config
            .getOptionalValue("quarkus.http.insecure-requests", String.class)
            .map("enabled"::equalsIgnoreCase)
            .orElse(true);
    return isPlain
        ? address("http", Listener.PLAIN, 8080, config)
        : address("https", Listener.TLS, 8443, config);
  }

  private static URI address(String scheme, Listener listener, int standard, Config config)
      throws IOException {
    var port = config.getOptionalValue(listener.portSetting(), Integer.class).orElse(standard);
    if (port == 0) {
      throw new IOException(
          "The service chooses its port itself: set %s to a fixed port."
              .formatted(listener.portSetting()));
    }
    var host =
        config
            .getOptionalValue(listener.hostSetting(), String.class)
            .filter(set -> !ALL_ADDRESSES.contains(set))
            .orElse("127.0.0.1");
    var isBareIpv6 = host.contains(":") && !host.startsWith("[");
    return URI.create(
        "%s://%s:%d%s".formatted(scheme, isBareIpv6 ? "[" + host + "]" : host, port, PATH));
  }

  private static void requireReady(URI address) throws IOException {
    var connection = (HttpURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setInstanceFollowRedirects(false);
    if (connection instanceof HttpsURLConnection secured) {
      trustAll(secured);
    }
    int status;
    var body = "";
    try {
      status = connection.getResponseCode();
      var error = connection.getErrorStream();
      if (error != null) {
        body = new String(error.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException failed) {
      throw new IOException("%s: no response (%s)".formatted(address, failed.getMessage()), failed);
    } finally {
      connection.disconnect();
    }
    if (status != HttpURLConnection.HTTP_OK) {
      throw new IOException("%s: status %d%n%s".formatted(address, status, body).strip());
    }
  }

  /**
   * The certificate is for the name that clients use, not for the loopback address. Nothing secret
   * is sent, and the service is on this machine.
   */
  private static void trustAll(HttpsURLConnection connection) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {TrustAllTrustManager.INSTANCE}, null);
      connection.setSSLSocketFactory(context.getSocketFactory());
      connection.setHostnameVerifier((host, session) -> true);
    } catch (GeneralSecurityException unsupported) {
      throw new IllegalStateException(unsupported);
    }
  }
}
