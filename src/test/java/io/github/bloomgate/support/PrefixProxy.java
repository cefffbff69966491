package io.github.bloomgate.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy that removes a prefix from the path, and forwards neither the prefix nor its host. */
public final class PrefixProxy implements AutoCloseable {

  /** The last two would reveal to the service that the browser uses another host. */
  private static final Set<String> NOT_PASSED_ON =
      Set.of(
          "connection",
          "content-length",
          "transfer-encoding",
          "host",
          "upgrade",
          "origin",
          "sec-fetch-site");

  /** A browser requests several modules at once. */
  private static final int THREADS = 8;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final HttpServer server;
  private final String prefix;
  private final int target;

  private PrefixProxy(HttpServer server, String prefix, int target) {
    this.server = server;
    this.prefix = prefix;
    this.target = target;
  }

  /**
   * Starts a proxy for a service on this machine.
   *
   * @param prefix has no slash at its end
   */
  public static PrefixProxy start(String prefix, int target) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var proxy = new PrefixProxy(server, prefix, target);
    server.setExecutor(proxy.threads);
    server.createContext(prefix + "/", proxy::pass);
    server.start();
    return proxy;
  }

  /** The address at which clients find a path of the service. */
  public URI uri(String path) {
    return URI.create("http://localhost:" + server.getAddress().getPort() + prefix + path);
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().toString().substring(prefix.length());
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target + path))
              .method(
                  exchange.getRequestMethod(),
                  BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> values.forEach(value -> pass(request, name, value)));
      var answer = client.send(request.build(), BodyHandlers.ofByteArray());
      answer.headers().map().forEach((name, values) -> answer(exchange, name, values));
      exchange.sendResponseHeaders(
          answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pass(HttpRequest.Builder request, String name, String value) {
    if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
      request.header(name, value);
    }
  }

  private static void answer(HttpExchange exchange, String name, List<String> values) {
    if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
      exchange.getResponseHeaders().put(name, values);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
