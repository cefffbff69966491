package io.github.bloomgate.server.observe;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.bloomgate.http.Api;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Enabled traces contain operations, but never elements or keys. */
@QuarkusTest
@TestProfile(TracingTest.Observed.class)
@Tag("slow")
class TracingTest {

  private static final String SECRET = "secret-element-5b1e";
  private static final String HEX =
      HexFormat.of().formatHex(SECRET.getBytes(StandardCharsets.UTF_8));
  private static final String KEY = "secret-credential-77a0";
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @Test
  void spansNameOperationsAndHideElements() {
    Api.put("traced", "{\"expectedInsertions\": 10}").statusCode(201);
    for (var query :
        new String[] {
          "element=" + SECRET,
          "element=" + HEX + "&encoding=hex",
          "element=" + SECRET + "&encoding=hex",
          "element=" + SECRET + "&" + SECRET + "=1"
        }) {
      for (var path : new String[] {"/v1/filters/traced/test?", "/v1/gate/traced?", "/none?"}) {
        given().header("Authorization", "Bearer " + KEY).get(path + query);
      }
      given().get("/v1/ext-authz/filter=traced&elementParameter=code/shop/" + SECRET + "?" + query);
    }
    for (var body :
        new String[] {
          "{\"elements\": [\"" + SECRET + "\"]}",
          "{\"elements\": [\"" + SECRET + "\\q\"]}",
          "{\"elements\": [{\"" + SECRET + "\": 1}]}",
          SECRET
        }) {
      Api.post("traced", "add", body);
      Api.lines("text/plain", "line " + body).post("/v1/filters/traced/test?x=" + SECRET);
      Api.lines("text/plain", "line " + body)
          .post("/v1/filters/traced/test")
          .then()
          .statusCode(200);
    }
    given().get("/test-only/failing?element=" + SECRET).then().statusCode(500);
    given()
        .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
        .delete("/v1/filters/traced")
        .then()
        .statusCode(204);

    // Spans are sent in the order in which they end, so this is the last one.
    Awaitility.await().until(() -> all().contains(raw(HexFormat.of().parseHex(TRACE))));
    var spans = all();
    assertTrue(spans.contains("/v1/filters/{name}/test"), "the operation is in the trace");
    assertTrue(spans.contains("/v1/gate/{name}"), "the operation is in the trace");
    assertTrue(spans.contains("evalsha"), "the calls to Redis are in the trace");
    assertTrue(spans.contains("url.query"), "there is something to hide");
    for (var secret : new String[] {SECRET, HEX, KEY}) {
      assertFalse(spans.contains(secret), "a span contains " + secret);
    }
  }

  /** All spans sent so far, with a character for each byte. */
  static String all() {
    return String.join("\n", Collector.RECEIVED);
  }

  /** Converts bytes to text with a character for each. */
  static String raw(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Sends traces to a collector of this test, and has gauges for fewer filters than exist. */
  public static class Observed implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "quarkus.otel.sdk.disabled", "false",
          "quarkus.otel.exporter.otlp.protocol", "http/protobuf",
          "quarkus.otel.bsp.schedule.delay", "100ms",
          "bloomgate.metrics.filters", "3",
          "bloomgate.metrics.filter-prefix", FilterGaugesTest.PREFIX,
          "bloomgate.metrics.filter-interval", "1h");
    }

    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(Collector.class));
    }
  }

  public static final class Collector implements QuarkusTestResourceLifecycleManager {

    private static final Queue<String> RECEIVED = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    @Override
    public Map<String, String> start() {
      try {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      server.createContext("/", Collector::take);
      server.start();
      var port = server.getAddress().getPort();
      return Map.of("quarkus.otel.exporter.otlp.endpoint", "http://127.0.0.1:" + port);
    }

    @Override
    public void stop() {
      server.stop(0);
    }

    private static void take(HttpExchange exchange) throws IOException {
      try (exchange;
          InputStream plain = exchange.getRequestBody();
          InputStream body =
              "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))
                  ? new GZIPInputStream(plain)
                  : plain) {
        RECEIVED.add(raw(body.readAllBytes()));
        exchange.sendResponseHeaders(200, -1);
      }
    }
  }
}
