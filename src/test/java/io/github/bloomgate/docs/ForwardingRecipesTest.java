package io.github.bloomgate.docs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.http.RawHttp;
import io.github.bloomgate.http.access.TestKeys;
import io.github.bloomgate.support.ProjectFiles;
import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The documented configurations for Traefik and Envoy let only elements of the filter pass, with
 * the requests to the gate that these proxies make, according to their documentation and source.
 */
@QuarkusTest
@TestProfile(TestKeys.class)
class ForwardingRecipesTest {

  private static final String IN = "SPRING-7Q2";
  private static final String OUT = "SUMMER-1AB";
  private static final String FILTER = "/v1/filters/coupons";

  @BeforeEach
  void fill() {
    admin("{\"expectedInsertions\": 1000}").put(FILTER);
    admin("{\"elements\": [\"" + IN + "\"]}").post(FILTER + "/add").then().statusCode(200);
  }

  private static RequestSpecification admin(String body) {
    return Api.json(body).header("Authorization", "Bearer " + TestKeys.ADMIN);
  }

  @Test
  void traefikPassesOnlyWhatIsInTheFilter() {
    var block = MarkdownFile.read("docs/recipes/gate.md").block("yaml", "http:");
    var configuration = ProjectFiles.documents(block).get(0).path("http");
    var forward = configuration.at("/middlewares/gate/forwardAuth");
    assertEquals("[\"Accept\"]", forward.path("authRequestHeaders").toString());
    assertTrue(forward.path("trustForwardHeader").isMissingNode());
    assertTrue(configuration.at("/routers/redeem/rule").asText().contains("Method(`GET`)"));
    assertPassesOnlyWhatIsIn(204, target -> traefik(forward, target));
  }

  /**
   * A GET of the address, with the password of the address, the listed headers of the client and
   * Traefik's own.
   */
  private static String traefik(JsonNode forward, String target) {
    var address = URI.create(forward.path("address").asText().replace("<key>", TestKeys.READER));
    var basic = Base64.getEncoder().encodeToString(address.getUserInfo().getBytes(ISO_8859_1));
    return "GET %s?%s HTTP/1.1\r\nHost: %s\r\n"
            .formatted(address.getPath(), address.getQuery(), address.getHost())
        + "Accept: text/html\r\nAuthorization: Basic %s\r\n".formatted(basic)
        + "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Host: shop.example.com\r\n"
        + "X-Forwarded-Method: GET\r\nX-Forwarded-Proto: https\r\n"
        + "X-Forwarded-Uri: %s\r\nAccept-Encoding: gzip\r\n\r\n".formatted(target);
  }

  @Test
  void envoyPassesOnlyWhatIsInTheFilter() {
    var service = EnvoyRecipeTest.configuration().at("/http_filters/0/typed_config/http_service");
    for (var method : List.of("GET", "OPTIONS", "DELETE")) {
      assertPassesOnlyWhatIsIn(200, target -> envoy(service, method, target));
    }
  }

  /**
   * The client's method, host and path behind the prefix, with a length of zero, the configured
   * headers instead of the client's, and Envoy's own.
   */
  private static String envoy(JsonNode service, String method, String target) {
    var added = service.at("/authorization_request/headers_to_add/0");
    assertEquals("authorization", added.path("key").asText());
    var basic = Base64.getEncoder().encodeToString((":" + TestKeys.READER).getBytes(ISO_8859_1));
    return "%s %s%s HTTP/1.1\r\n".formatted(method, service.path("path_prefix").asText(), target)
        + "host: shop.example.com\r\ncontent-length: 0\r\n"
        + "authorization: %s\r\n".formatted(added.path("value").asText().replace("<basic>", basic))
        + "x-envoy-internal: true\r\nx-forwarded-for: 192.0.2.7\r\n"
        + "x-envoy-expected-rq-timeout-ms: 100\r\n\r\n";
  }

  private static void assertPassesOnlyWhatIsIn(int yes, UnaryOperator<String> proxy) {
    assertEquals(yes, send(proxy, "/redeem?code=" + IN).status());
    assertEquals(yes, send(proxy, "/redeem?a=b&code=SPRING%2D7Q2").status());
    var no = send(proxy, "/redeem?code=" + OUT);
    assertEquals(403, no.status());
    assertEquals("", no.text());
    assertEquals(400, send(proxy, "/redeem").status());
    for (var hostile : ProxiesTest.TWO_CODES) {
      for (var target : List.of(hostile.formatted(IN, OUT), hostile.formatted(OUT, IN))) {
        var status = send(proxy, "/redeem" + target).status();
        assertTrue(status >= 400, target + ": " + status);
      }
    }
    assertEquals(204, admin("").delete(FILTER).statusCode());
    assertEquals(404, send(proxy, "/redeem?code=" + IN).status());
    admin("{\"expectedInsertions\": 1000}").put(FILTER).then().statusCode(201);
    admin("{\"elements\": [\"" + IN + "\"]}").post(FILTER + "/add").then().statusCode(200);
  }

  private static RawResponse send(UnaryOperator<String> proxy, String target) {
    return RawHttp.send(proxy.apply(target).getBytes(ISO_8859_1));
  }
}
