package io.github.bloomgate.docs;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.joining;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.http.access.TestKeys;
import io.github.bloomgate.redis.ReservedPort;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.Interpreter;
import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.BufferedInputStream;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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

  /** Queries that programs read as one of two codes. */
  static final List<String> TWO_CODES =
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
          "?x?code=%s&code=%s");

  private static final String SECRET = "a-secret-of-this-test";
  private static final String FILTER = "/v1/filters/coupons";
  private static final int LINES = 50_000;

  @TestHTTPResource URI service;

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ReservedPort port = ReservedPort.any();

  /** Requests that reached the program. */
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();

  /** Values of a header of requests that reached the program, under any spelling of its name. */
  private final Queue<String> marks = new ConcurrentLinkedQueue<>();

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
          marks.add(mark(exchange.getRequestHeaders()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    upstream.start();
    ask("PUT", FILTER, "{\"expectedInsertions\": 1000}");
    assertEquals(200, ask("POST", FILTER + "/add", "{\"elements\": [\"SPRING-7Q2\"]}"));
  }

  private static String mark(Headers headers) {
    return headers.entrySet().stream()
        .filter(header -> header.getKey().replace('_', '-').equalsIgnoreCase("X-Not-Revoked"))
        .map(header -> String.join(",", header.getValue()))
        .collect(collectingAndThen(joining(","), marks -> marks.isEmpty() ? "null" : marks));
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
            .formatted(port.number(), block("text", "handle /redeem")),
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

  @Test
  void haproxy() throws Exception {
    var haproxy = Interpreter.isThere("haproxy", "-v") ? "haproxy" : "/usr/sbin/haproxy";
    Interpreter.assume(haproxy, "-v");
    Files.writeString(folder.resolve("gate.lua"), adapted(block("lua", "core.register_action")));
    start(
        block("haproxy", "global")
            .replace("127.0.0.1:80\n", "127.0.0.1:%d\n".formatted(port.number())),
        haproxy,
        "-db",
        "-f");
    assertEquals(List.of(200, 403, 403), statuses());
    assertNothingElsePasses();
    assertEquals(204, ask("DELETE", FILTER, ""));
    assertEquals(List.of(503, 503, 503), statuses());
  }

  /** The token is passed on to a program that asks its database, unless it says not to. */
  @Test
  void haproxyMarksTokensThatAreNotRevoked() throws Exception {
    var haproxy = Interpreter.isThere("haproxy", "-v") ? "haproxy" : "/usr/sbin/haproxy";
    Interpreter.assume(haproxy, "-v");
    ask("PUT", "/v1/filters/revoked", "{\"expectedInsertions\": 1000}");
    assertEquals(200, ask("POST", "/v1/filters/revoked/add", "{\"elements\": [\"bad/+1\"]}"));
    var recipe = MarkdownFile.read("docs/recipes/revoke.md");
    var script = recipe.block("lua", "core.register_action");
    Files.writeString(folder.resolve("revoked.lua"), adapted(script));
    start(
        recipe
            .block("haproxy", "global")
            .replace("127.0.0.1:80\n", "127.0.0.1:%d\n".formatted(port.number()))
            .replace("<secret>", SECRET),
        haproxy,
        "-db",
        "-f");
    var later = Instant.now().plusSeconds(3600).getEpochSecond();
    var good = token("{\"jti\": \"good\", \"exp\": %d}".formatted(later));
    var bad = token("{\"jti\": \"bad/+1\", \"exp\": %d}".formatted(later));
    assertEquals("200 1", passed(good));
    assertEquals("200 1", passed(good, "X-Not-Revoked: 2"));
    assertEquals("200 null", passed(bad));
    for (var name : List.of("X-Not-Revoked", "x-not-revoked", "X_Not_Revoked", "X-Not_Revoked")) {
      assertEquals("200 null", passed(bad, name + ": 1"));
    }
    assertEquals("200 null", passed(bad, "Connection: X-Token-Id, X-Not-Revoked"));
    assertEquals("200 null", passed(bad, "X-Token-Id: good"));
    assertEquals("401", passed("none"));
    assertEquals("401", passed(good.substring(0, good.lastIndexOf('.') + 1)));
    assertEquals("401", passed(token("{\"jti\": \"good\", \"exp\": 1}")));
    assertEquals("401", passed(token("{\"jti\": \"good\"}")));
    assertEquals("401", passed(token("{\"exp\": %d}".formatted(later))));
    assertEquals("503", passed(token("{\"jti\": \"a,b\", \"exp\": %d}".formatted(later))));
    assertEquals(204, ask("DELETE", "/v1/filters/revoked", ""));
    assertEquals("503", passed(good));
    assertEquals("503", passed(bad));
  }

  /** The status, and the header for the program if the request reached it. */
  private String passed(String token, String... headers) throws IOException {
    marks.clear();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port.number())) {
      var lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
      var head =
          "GET /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n%s\r\n"
              .formatted(token, lines);
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      var answer = RawResponse.read(new BufferedInputStream(socket.getInputStream()), false);
      return answer.status() + (marks.isEmpty() ? "" : " " + marks.poll());
    }
  }

  private static String token(String payload) throws Exception {
    var base64 = Base64.getUrlEncoder().withoutPadding();
    var head = base64.encodeToString("{\"alg\":\"HS256\"}".getBytes(US_ASCII));
    var signed = head + "." + base64.encodeToString(payload.getBytes(US_ASCII));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(US_ASCII), "HmacSHA256"));
    return signed + "." + base64.encodeToString(mac.doFinal(signed.getBytes(US_ASCII)));
  }

  /**
   * Caddy drops the rest of a body when its response begins, and ends it as if it were complete.
   */
  @Test
  void caddyPassesAllLinesOfAStream() throws Exception {
    Interpreter.assume("caddy", "version");
    start(
        """
        {
          admin off
          auto_https off
          storage file_system storage
        }
        http://127.0.0.1:%d {
          reverse_proxy 127.0.0.1:8080
        }
        """
            .formatted(port.number()),
        "caddy",
        "run",
        "--adapter",
        "caddyfile",
        "--config");
    var many = assertAllLinesPass();
    var refused = stream(many + "/test?return=flags&interleave=true", LINES);
    assertEquals(400, refused.status(), refused::text);
  }

  /** It adds no header that shows a proxy, and reads on when the response begins. */
  @Test
  void haproxyPassesAllLinesOfAStreamAndResultsMeanwhile() throws Exception {
    var haproxy = Interpreter.isThere("haproxy", "-v") ? "haproxy" : "/usr/sbin/haproxy";
    Interpreter.assume(haproxy, "-v");
    start(
        """
        defaults
            mode http
            option http-no-delay
            timeout connect 30s
            timeout client 60s
            timeout server 60s
        frontend lines
            bind 127.0.0.1:%d
            default_backend bloomgate
        backend bloomgate
            server bloomgate 127.0.0.1:8080
        """
            .formatted(port.number()),
        haproxy,
        "-db",
        "-f");
    var many = assertAllLinesPass();
    var meanwhile = stream(many + "/test?return=flags&interleave=true", LINES);
    assertEquals(200, meanwhile.status(), meanwhile::text);
    assertEquals("1\n".repeat(LINES), meanwhile.text());
  }

  /** Returns the path of a filter with the lines. */
  private String assertAllLinesPass() throws Exception {
    var many = "/v1/filters/" + Api.newName();
    ask("PUT", many, "{\"expectedInsertions\": 100000}");
    var answer = stream(many + "/add?return=flags", LINES);
    assertEquals(200, answer.status(), answer::text);
    assertEquals(LINES, answer.text().lines().count());
    var absent = stream(many + "/test?return=absent", LINES);
    assertEquals(200, absent.status(), absent::text);
    assertEquals("", absent.text());
    return many;
  }

  /** Sends lines of text in chunks, through the proxy, while it reads the response. */
  private RawResponse stream(String target, int lines) throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port.number())) {
      var head =
          "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
              .formatted(target, TestKeys.ADMIN);
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      var sending = InParallel.run(() -> sendLines(socket, lines));
      var answer = RawResponse.read(new BufferedInputStream(socket.getInputStream()), false);
      assertTrue(answer.isWhole());
      InParallel.resultOf(sending);
      return answer;
    }
  }

  /** In many chunks, as a pipe does. */
  private static void sendLines(Socket socket, int lines) {
    try {
      for (var from = 0; from < lines; from += 1000) {
        var part =
            IntStream.range(from, from + 1000)
                .mapToObj("line %06d\n"::formatted)
                .collect(joining());
        var chunk = "%x\r\n%s\r\n".formatted(part.length(), part);
        socket.getOutputStream().write(chunk.getBytes(US_ASCII));
      }
      socket.getOutputStream().write("0\r\n\r\n".getBytes(US_ASCII));
    } catch (IOException refused) {
      // The proxy has sent an error.
    }
  }

  /**
   * However the program behind the proxy parses the code, it only gets the one that was checked.
   */
  private void assertNothingElsePasses() throws IOException {
    var in = "SPRING-7Q2";
    var out = "SUMMER-1AB";
    assertPassesOnlyWhatIsIn("GET /redeem?code=" + in, "");
    assertEquals(1, seen.size());
    assertPassesOnlyWhatIsIn("GET /redeem?code=" + in, "code=" + out);
    assertEquals(1, seen.size(), "The gate takes no body, and must not see that there is one");
    for (var target : TWO_CODES) {
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

  private String redeem(String query) {
    return "http://127.0.0.1:%d/redeem%s".formatted(port.number(), query);
  }

  private int status(String query) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(redeem(query)))
            .header("Sec-Fetch-Site", "cross-site")
            .header("Origin", "https://shop.example.com");
    return client.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  private void start(String configuration, String... command) throws IOException {
    var file = folder.resolve("proxy.conf");
    Files.writeString(file, adapted(configuration));
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

  /** With the addresses and the key of this test, and a timeout that is long enough. */
  private String adapted(String configuration) {
    var basic =
        Base64.getEncoder()
            .encodeToString((":" + TestKeys.READER).getBytes(StandardCharsets.UTF_8));
    return configuration
        .replace("127.0.0.1:8080", "127.0.0.1:" + service.getPort())
        .replace("127.0.0.1:9000", "127.0.0.1:" + upstream.getAddress().getPort())
        .replace("<basic>", basic)
        .replace("100ms", "30s")
        .replace("timeout = 100\n", "timeout = 30000\n");
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
