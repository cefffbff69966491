package io.github.bloomgate.http.access;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.http.RawHttp;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** While no key is configured, the service only serves programs on this machine. */
@QuarkusTest
class LocalClientsTest {

  @Test
  void remoteClientsLearnHowToMakeAKey() throws SocketException {
    var address = addressOfThisMachine();
    assumeTrue(address.isPresent(), "this machine has only loopback addresses");
    var service = "http://" + address.get().getHostAddress() + ":" + RestAssured.port;

    for (var path :
        List.of("/v1/filters", "/", "/q/metrics", "/q/openapi", "/q/swagger-ui/", "/nothing")) {
      Api.refused(403, "FORBIDDEN", given().get(service + path).then())
          .body("detail", containsString("new-key --role admin"));
    }
    // Headers that claim a local client do not change the address of the connection.
    var claiming = given().headers("Host", "localhost", "X-Forwarded-For", "127.0.0.1");
    claiming.get(service + "/v1/filters").then().statusCode(403);
    given().get(service + "/q/health/ready").then().statusCode(200);
  }

  /** An address of this machine that the service does not consider local. */
  static Optional<InetAddress> addressOfThisMachine() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .filter(address -> address.getAddress().length == 4)
        .findFirst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "x-forwarded-client-cert",
        "X-ForwardedFor",
        "X-Envoy-External-Address",
        "X-Real-IP",
        "X-Client-IP",
        "CF-Connecting-IP",
        "True-Client-IP",
        "Via",
        "VIA"
      })
  void proxiedRequestsAreNotLocal(String header) {
    given().header(header, "127.0.0.1").get(Api.FILTERS).then().statusCode(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "evil.example:8080", "localhost.evil.example", "0.0.0.0"})
  void aForeignNameForThisMachineIsNotLocal(String host) {
    Api.refused(403, "FORBIDDEN", given().header("Host", host).get(Api.FILTERS).then());
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1:8080", "[::1]:8080", "bloom.localhost"})
  void namesOfThisMachineAreAnswered(String host) {
    given().header("Host", host).get(Api.FILTERS).then().statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://evil.example", "null", "http://localhost:1", "http://localhost", ""})
  void aPageOfAnotherSiteIsRefused(String origin) {
    var name = Api.newFilter();

    // A form on any web page can send this request.
    var answer =
        given()
            .header("Origin", origin)
            .contentType("text/plain")
            .body("x")
            .post(Api.FILTERS + name + "/add");

    assertEquals(403, answer.statusCode(), answer.asString());
    assertTrue(Api.description(name).contains("\"insertions\":0"));
  }

  @Test
  void theServicesOwnPagesAreAnswered() {
    var own = "http://localhost:" + RestAssured.port;
    var page = given().headers("Origin", own, "Sec-Fetch-Site", "same-origin");
    page.get(Api.FILTERS).then().statusCode(200);
    // Behind a proxy, the origin is the proxy's name, so keys are required.
    var upperCase = given().header("Origin", own.toUpperCase(Locale.ROOT));
    upperCase.get(Api.FILTERS).then().statusCode(200);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/filters, cross-site, no-cors, 403",
    "GET, /v1/filters, same-site, cors, 403",
    "GET, /v1/filters, same-origin, cors, 200",
    "GET, /v1/filters, same-origin, navigate, 200",
    "GET, /v1/filters, none, navigate, 200",
    "GET, /v1/filters, cross-site, navigate, 403",
    "GET, /v1/filters, same-site, navigate, 403",
    "GET, /v1/gate/{name}?element=x, cross-site, navigate, 403",
    "GET, /v1/filters/{name}/export, cross-site, navigate, 403",
    "GET, /q/metrics, cross-site, navigate, 403",
    "POST, /v1/filters/{name}/clear, cross-site, navigate, 403",
    "GET, /, cross-site, navigate, 200",
    "GET, /, cross-site, no-cors, 403",
    "HEAD, /index.html, cross-site, navigate, 200",
    "POST, /, cross-site, navigate, 403",
    "GET, /q/swagger-ui/, cross-site, navigate, 200"
  })
  void otherSitesCanOnlyLinkToPages(
      String method, String path, String site, String mode, int status) {
    given()
        .header("Sec-Fetch-Site", site)
        .header("Sec-Fetch-Mode", mode)
        .request(method, path.replace("{name}", Api.newFilter()))
        .then()
        .statusCode(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: localhost\r\nHost: evil.example",
        "Host: localhost\r\nhost: localhost",
        "Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example",
      })
  void aHeaderUsedForChecksMayOccurOnce(String headers) {
    var request = "GET /v1/filters HTTP/1.1\r\n" + headers + "\r\n\r\n";
    RawHttp.refused(400, "INVALID_REQUEST", RawHttp.send(request.getBytes(US_ASCII)));
  }

  @Test
  void responsesMustNotBeCached() {
    var name = Api.newFilter();
    for (var path :
        List.of(
            "/v1/filters",
            "/v1/filters/" + name,
            "/v1/filters/" + name + "/test?element=x",
            "/v1/filters/" + name + "/export",
            "/v1/gate/" + name + "?element=x",
            "/v1/filters/missing-" + name,
            "/v1/nothing",
            "/q/metrics",
            "/q/health/ready")) {
      assertEquals(
          List.of("no-store"), given().get(path).headers().getValues("Cache-Control"), path);
    }
  }

  @Test
  void withoutKeysACredentialIsIgnored() {
    given().header("Authorization", "Bearer x").get(Api.FILTERS).then().statusCode(200);
  }
}
