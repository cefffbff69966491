package io.github.bloomgate.http.door;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.RequestErrors;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.DomainSocketServerStart;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Serves health and metrics only on a separate port, if one is configured. The framework's own
 * management server can be enabled only at build time. Requests on both ports take the same path,
 * so the same rules apply.
 */
@Singleton
class ManagementPort {

  private static final Logger LOG = Logger.getLogger(ManagementPort.class);

  private static final List<String> PATHS = List.of("/q/health", "/q/metrics");

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int IDLE_SECONDS = 60;

  private final Optional<Integer> configured;
  private final String host;
  private final int maxHeaderBytes;
  private final Set<Integer> apiPorts;
  private HttpServer server;
  private volatile OptionalInt port = OptionalInt.empty();

  /**
   * The API listens a moment later than this server. If the service were ready before that, load
   * balancers would send requests that nothing receives. A live reload has no such event.
   */
  private volatile boolean apiListens = LaunchMode.current() == LaunchMode.DEVELOPMENT;

  ManagementPort(
      BloomgateConfig config,
      @ConfigProperty(name = "quarkus.http.limits.max-header-size") MemorySize maxHeaderSize,
      @ConfigProperty(name = "quarkus.http.port") int httpPort,
      @ConfigProperty(name = "quarkus.http.ssl-port") int httpsPort) {
    this.apiPorts = Stream.of(httpPort, httpsPort).collect(Collectors.toSet());
    this.maxHeaderBytes = maxHeaderSize.asBigInteger().intValueExact();
    this.configured = config.management().port();
    this.host = config.management().host();
  }

  void start(@Observes StartupEvent started, Vertx vertx) {
    if (configured.isEmpty()) {
      return;
    }
    requireOwnPort(configured.get());
    server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setIdleTimeout(IDLE_SECONDS)
                    .setMaxHeaderSize(maxHeaderBytes)
                    // HTTP/2 connections would bring many parallel requests.
                    .setHttp2ClearTextEnabled(false))
            .requestHandler(this::answer);
    await(server.listen(configured.get(), host).toCompletionStage(), TIMEOUT);
    port = OptionalInt.of(server.actualPort());
    LOG.infof("Health and metrics are served at %s:%d only.", host, server.actualPort());
  }

  private void answer(HttpServerRequest request) {
    if (apiListens) {
      VertxHttpRecorder.getRootHandler().handle(request);
    } else {
      request.response().setStatusCode(503).end();
    }
  }

  void apiListens(@ObservesAsync HttpServerStart listening) {
    apiListens = true;
  }

  void secureApiListens(@ObservesAsync HttpsServerStart listening) {
    apiListens = true;
  }

  void socketListens(@ObservesAsync DomainSocketServerStart listening) {
    apiListens = true;
  }

  /** Vert.x lets two servers share a port, and this one would then receive requests for the API. */
  private void requireOwnPort(int wanted) {
    if (wanted != 0 && apiPorts.contains(wanted)) {
      throw new ConfigurationException(
          "The API also uses port %d of bloomgate.management.port (quarkus.http.port, quarkus.http.ssl-port): set it to another port, or leave it unset."
              .formatted(wanted));
    }
  }

  /** The event loops outlive the beans. */
  void stop(@Observes ShutdownEvent stopped) {
    if (server != null) {
      server.close();
    }
  }

  OptionalInt port() {
    return port;
  }

  /** Refuses a request to a path that its port does not serve. */
  void requirePort(RoutingContext context) {
    if (configured.isEmpty()) {
      return;
    }
    var isOwnPort = port.isPresent() && context.request().localAddress().port() == port.getAsInt();
    if (isOwnPort != isManagement(context.normalizedPath())) {
      throw RequestErrors.noSuchResource();
    }
  }

  private static boolean isManagement(String path) {
    return PATHS.stream().anyMatch(known -> path.equals(known) || path.startsWith(known + "/"));
  }
}
