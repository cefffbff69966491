package io.github.bloomgate.docs;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.github.bloomgate.http.access.TestKeys;
import io.github.bloomgate.redis.ReservedPort;
import io.github.bloomgate.support.Interpreter;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The documented proxy configurations only let elements of the filter pass. Skips proxies that are
 * not installed.
 */
@QuarkusTest
@TestProfile(TestKeys.class)
@Tag("slow")
class ProxiesTest {

  private static final String FILTER = "/v1/filters/coupons";

  @TestHTTPResource URI service;

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ReservedPort port = ReservedPort.any();

  /** Requests that reached the program. */
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();

  private HttpServer upstream;
  private Process proxy;

  @BeforeEach
  void startUpstream() throws IOException {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext(
        "/",
        exchange -> {
          seen.add(
              "%s %s %s %s"
                  .formatted(
                      exchange.getRequestMethod(),
                      exchange.getRequestURI(),
                      exchange.getRequestHeaders().getFirst("Content-Type"),
                      new String(exchange.getRequestBody().readAllBytes(), US_ASCII)));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    upstream.start();
    ask("PUT", FILTER, "{\"expectedInsertions\": 1000}");
    assertEquals(200, ask("POST", FILTER + "/add", "{\"elements\": [\"SPRING-7Q2\"]}"));
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (proxy != null) {
      proxy.destroy();
      proxy.waitFor();
    }
    upstream.stop(0);
    port.close();
  }

  @Test
  void nginx() throws Exception {
    var nginx = Interpreter.isThere("nginx", "-v") ? "nginx" : "/usr/sbin/nginx";
    Interpreter.assume(nginx, "-v");
    start(
        """
        daemon off;
        pid nginx.pid;
        events {}
        http {
          access_log off;
          client_body_temp_path body;
          proxy_temp_path proxy;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
          server {
            listen 127.0.0.1:%d;
            %s
          }
        }
        """
            .formatted(port.number(), block("nginx", "location /redeem")),
        nginx,
        "-p",
        folder.toString(),
        "-e",
        "stderr",
        "-c");
    assertEquals(List.of(200, 403, 403), statuses());
    assertNothingElsePasses();
    assertEquals(204, ask("DELETE", FILTER, ""));
    assertEquals(List.of(500, 500, 500), statuses());
  }

  @Test
  void caddy() throws Exception {
    Interpreter.assume("caddy", "version");
    start(
        """
        {
          admin off
          auto_https off
          storage file_system storage
        }
        http://127.0.0.1:%d {
          %s
        }
        """
            .formatted(port.number(), block("text", "handle /redeem"))
            .replace("100ms", "30s"),
        "caddy",
        "run",
        "--adapter",
        "caddyfile",
        "--config");
    assertEquals(List.of(200, 403, 403), statuses());
    assertNothingElsePasses();
    assertEquals(204, ask("DELETE", FILTER, ""));
    assertEquals(List.of(404, 404, 404), statuses());
  }

  /**
   * However the program behind the proxy parses the code, it only gets the one that was checked.
   */
  private void assertNothingElsePasses() throws IOException {
    var in = "SPRING-7Q2";
    var out = "SUMMER-1AB";
    assertPassesOnlyWhatIsIn("GET /redeem?code=" + in, "");
    assertEquals(1, seen.size());
    for (var target :
        List.of(
            "?CODE=%s&code=%s",
            "?code=%s&CODE=%s",
            "?code=%s&code=%s",
            "?code=%s&c%%6Fde=%s",
            "?c%%6Fde=%s&code=%s",
            "?code=%s;code=%s",
            "?x=1;code=%s&code=%s",
            "?code=%s&code[]=%s",
            "?code[0]=%s&code=%s",
            "?code=%s%%26code=%s",
            "?code=%s%%23%s",
            "?code=%s%%00%s",
            "?code=%s+%s",
            "?code=%s#&code=%s",
            "?x#code=%s&code=%s",
            "?+code=%s&code=%s",
            "?%%20code=%s&code=%s",
            "?code.=%s&code=%s",
            "&code=%s?code=%s",
            ";code=%s?code=%s",
            "%%3Fcode=%s?code=%s",
            "?x?code=%s&code=%s")) {
      assertPassesOnlyWhatIsIn("GET /redeem" + target.formatted(in, out), "");
      assertPassesOnlyWhatIsIn("GET /redeem" + target.formatted(out, in), "");
    }
    assertPassesOnlyWhatIsIn("GET /redeem?code=U1BSSU5HLTdRMg%26encoding%3Dbase64", "");
    assertPassesOnlyWhatIsIn("GET /redeem?code=%2553PRING-7Q2", "");
    assertPassesOnlyWhatIsIn("GET //redeem?code=" + out + "&code=" + in, "");
    for (var method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "QUERY")) {
      assertPassesOnlyWhatIsIn(method + " /redeem?code=" + in, "code=" + out);
      assertPassesOnlyWhatIsIn(method + " /redeem?code=" + out, "code=" + in);
    }
  }

  private void assertPassesOnlyWhatIsIn(String request, String form) throws IOException {
    seen.clear();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port.number())) {
      var head =
          "%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n%s"
              .formatted(request, form.length(), form);
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      socket.getInputStream().readAllBytes();
    } catch (SocketException refused) {
      // The rest of the body has not been sent yet.
      assertTrue(seen.isEmpty(), request);
    }
    for (var passed : seen) {
      assertTrue(passed.matches("GET [^?]*\\?code=SPRING-7Q2 null .*"), request + ": " + passed);
    }
  }

  /** The statuses for a code in the filter, an unknown code, and no code. */
  private List<Integer> statuses() throws Exception {
    return List.of(status("?code=SPRING-7Q2"), status("?code=SUMMER-1AB"), status(""));
  }

  private int status(String query) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/redeem%s".formatted(port.number(), query)))
            .header("Sec-Fetch-Site", "cross-site")
            .header("Origin", "https://shop.example.com");
    return client.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  private void start(String configuration, String... command) throws IOException {
    var basic =
        Base64.getEncoder()
            .encodeToString((":" + TestKeys.READER).getBytes(StandardCharsets.UTF_8));
    var file = folder.resolve("proxy.conf");
    Files.writeString(
        file,
        configuration
            .replace("127.0.0.1:8080", "127.0.0.1:" + service.getPort())
            .replace("127.0.0.1:9000", "127.0.0.1:" + upstream.getAddress().getPort())
            .replace("<basic>", basic));
    var log = folder.resolve("proxy.log").toFile();
    var words = new ArrayList<>(List.of(command));
    words.add(file.toString());
    proxy =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    await()
        .until(
            () -> {
              assertTrue(proxy.isAlive(), () -> read(log.toPath()));
              return isListening();
            });
  }

  private boolean isListening() throws InterruptedException {
    try {
      return status("") > 0;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  private static String block(String language, String beginning) {
    return MarkdownFile.read("docs/recipes/gate.md").block(language, beginning);
  }

  private static int ask(String method, String path, String body) {
    var request = given().header("Authorization", "Bearer " + TestKeys.ADMIN);
    if (!body.isEmpty()) {
      request.contentType("application/json").body(body);
    }
    return request.request(method, path).statusCode();
  }
}
