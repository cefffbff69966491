package io.github.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.access.TestKeys;
import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The gate takes the element from the place that the proxy names, and nothing that the proxy's
 * client sends changes the place, the filter or the question.
 */
@QuarkusTest
@TestProfile(TestKeys.class)
class ForwardedGateTest {

  private static final String IN = "SPRING-7Q2";
  private static final String OUT = "SUMMER-1AB";

  @Test
  void theElementMayBeInAHeader() {
    var name = filter();
    for (var gate : List.of("/v1/gate/" + name + "?", "/v1/gate?filter=" + name + "&")) {
      var target = gate + "elementHeader=X-Token-Id";
      assertStatus(204, "GET", target, "x-token-id: " + IN);
      assertStatus(403, "GET", target, "X-Token-Id: " + OUT);
      assertStatus(403, "GET", target + "&refuse=maybe", "X-Token-Id:  " + IN + " ");
      assertStatus(204, "GET", target + "&encoding=hex", "X-Token-Id: 535052494e472d375132");
      assertStatus(204, "GET", target, "X-Token-Id: " + IN, "Connection: close, X-Token-Id");
      assertStatus(400, "GET", target, "X-Token-Id: " + IN, "X-Token-Id: " + IN);
      assertStatus(400, "GET", target, "X-Token-Id: " + IN, "X_Token_Id: " + OUT);
      assertStatus(400, "GET", target, "X-Token-Id: " + IN + "," + OUT);
      assertStatus(400, "GET", target, "X-Token-Id:");
      assertStatus(400, "GET", target, "X-Other: " + IN);
      assertStatus(400, "GET", target + "&element=" + IN, "X-Token-Id: " + IN);
      assertStatus(400, "GET", target + "&elementParameter=id", "X-Token-Id: " + IN);
      assertStatus(403, "GET", target, "X-Token-Id: " + "a".repeat(10_000));
      assertStatus(431, "GET", target, "X-Token-Id: " + "a".repeat(30_000));
    }
  }

  /** As Traefik sends it. */
  @Test
  void theElementMayBeInTheForwardedUri() {
    var name = filter();
    for (var gate : List.of("/v1/gate/" + name + "?", "/v1/gate?filter=" + name + "&")) {
      var target = gate + "elementParameter=code";
      assertStatus(204, "GET", target, "X-Forwarded-Uri: /redeem?x=1&code=" + IN);
      assertStatus(403, "GET", target, "X-Forwarded-Uri: /redeem?code=" + OUT);
      assertStatus(403, "GET", target + "&refuse=maybe", "X-Forwarded-Uri: /redeem?code=" + IN);
      assertStatus(400, "GET", target + "&refuse=maybe", "X-Forwarded-Uri: /redeem");
      assertStatus(400, "GET", target, "X-Forwarded-Uri: /redeem?code=" + IN + "&CODE=" + OUT);
      assertStatus(400, "GET", target, "X-Original-Uri: /redeem?code=" + IN);
      var twice = "X-Forwarded-Uri: /redeem?code=" + IN;
      assertStatus(400, "GET", target, twice, twice);
    }
  }

  /** A proxy that sends its client's method must not take an answer to OPTIONS for a yes. */
  @ParameterizedTest
  @ValueSource(
      strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"})
  void allMethodsAreAnsweredAlike(String method) {
    var name = filter();
    assertStatus(204, method, "/v1/gate/" + name + "?element=" + IN);
    assertStatus(403, method, "/v1/gate/" + name + "?element=" + OUT);
    assertStatus(403, method, "/v1/gate?element=" + OUT + "&filter=" + name);
    var envoy = "/v1/ext-authz/elementParameter=code&filter=";
    assertStatus(200, method, envoy + name + "/redeem?code=" + IN);
    assertStatus(403, method, envoy + name + "/redeem?code=" + OUT);
    assertStatus(404, method, envoy + Api.newName() + "/redeem?code=" + OUT);
    assertStatus(400, method, envoy + name + "/redeem");
    assertStatus(200, method, "/v1/ext-authz?element=" + IN + "&filter=" + name);
  }

  /** As Envoy sends it. */
  @Test
  void theQueryMayBeInFrontOfTheClientsPath() {
    var one = "filter=" + filter();
    var prefix = "/v1/ext-authz/" + one;
    assertStatus(200, "GET", prefix + "&elementParameter=code/?code=" + IN);
    assertStatus(200, "GET", prefix + "&elementParameter=code/a/b/?x=1&code=" + IN);
    assertStatus(200, "GET", prefix + "&elementParameter=code/caf%C3%A9%20/x?code=" + IN);
    assertStatus(403, "GET", prefix + "&refuse=maybe&elementParameter=code/a?code=" + IN);
    assertStatus(200, "GET", prefix + "&refuse=maybe&elementParameter=code/a?code=" + OUT);
    assertStatus(400, "GET", prefix + "&refuse=maybe&elementParameter=code/a?code=");
    assertStatus(200, "GET", prefix + "&elementHeader=X-Token-Id/a?x", "X-Token-Id: " + IN);
    assertStatus(403, "GET", prefix + "&elementHeader=X-Token-Id/a", "X-Token-Id: " + OUT);
    assertStatus(400, "GET", prefix + "&elementHeader=X-Token-Id/", "X-Other: " + IN);
    assertStatus(400, "GET", "/v1/ext-authz?elementParameter=code&" + one);
  }

  /** The client sends the part behind the query, with any method. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?code=SPRING-7Q2",
        "&code=SPRING-7Q2",
        "/redeem?code=SUMMER-1AB&element=SPRING-7Q2",
        "/redeem?code=SUMMER-1AB&refuse=maybe",
        "/redeem?code=SUMMER-1AB&elementParameter=x&x=SPRING-7Q2",
        "/redeem?elementHeader=X-Free&code=SUMMER-1AB",
        "/redeem&refuse=maybe?code=SUMMER-1AB",
        "/elementParameter=x&filter=FILTER/?code=SUMMER-1AB&x=SPRING-7Q2",
        "/../elementHeader=X-Free&filter=FILTER/",
        "/../../filters/FILTER/test?element=x&code=SPRING-7Q2",
        "/%2e%2e/%2E%2E/filters/FILTER/test?element=x&code=SPRING-7Q2",
        "/a/../../../gate/FILTER?element=SPRING-7Q2",
        "/a/..%2f..%2f..%2fgate/FILTER?element=SPRING-7Q2",
        "/../../../q/health?code=SPRING-7Q2",
        "/../../../?code=SPRING-7Q2",
        "/..?code=SPRING-7Q2",
        "/.?code=SPRING-7Q2",
        "//redeem?code=SPRING-7Q2",
        "/red%65em?code=SPRING-7Q2",
        "/redeem;code=SUMMER-1AB?code=SPRING-7Q2",
        "/redeem%3Fcode=SUMMER-1AB?code=SPRING-7Q2",
        "/redeem?code=SPRING-7Q2&code=SUMMER-1AB",
        "/redeem?code=SPRING-7Q2&c%6Fde=SUMMER-1AB",
        "/redeem?code=SPRING-7Q2;code=SUMMER-1AB",
        "/redeem?code=SPRING-7Q2#&code=SUMMER-1AB",
        "/redeem#?code=SPRING-7Q2",
        "#/redeem?code=SPRING-7Q2",
        "*"
      })
  void nothingThatTheClientSendsChangesTheQuery(String sent) {
    var name = filter();
    var target =
        "/v1/ext-authz/filter=" + name + "&elementParameter=code" + sent.replace("FILTER", name);
    for (var method : List.of("GET", "OPTIONS", "POST", "HEAD")) {
      var answer = send(method, target, "X-Free: " + IN, "X-Forwarded-Uri: /redeem?code=" + IN);
      assertTrue(answer.status() >= 400, target + " " + answer.status() + answer.text());
    }
  }

  /** A prefix that ends too early or too late must not leave the query to the client. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/ext-authz/?filter=FILTER&elementParameter=code",
        "/v1/ext-authz?filter=FILTER&elementParameter=code/redeem?code=SPRING-7Q2",
        "/v1/ext-authz?filter=FILTER&element=/redeem&refuse=maybe",
        "/v1/ext-authz?filter=FILTER&element=x?refuse=maybe",
        "/v1/ext-authz/filter=FILTER&elementParameter=code//redeem?code=SPRING-7Q2",
        "/v1/ext-authz/filter=FILTER&element=/redeem&refuse=maybe?x",
        "/v1/ext-authz/redeem?code=SPRING-7Q2",
        "/v1//ext-authz/filter=FILTER&elementParameter=code/redeem?code=SPRING-7Q2",
        "/v1/ext%2Dauthz/filter=FILTER&elementParameter=code/redeem?code=SPRING-7Q2",
        "http://localhost/v1/ext-authz/filter=FILTER&elementParameter=code/redeem?code=SPRING-7Q2",
        "/v1/gate/FILTER/redeem?elementParameter=code&code=SPRING-7Q2",
        "/v1/gate/FILTER?elementParameter=code/redeem?code=SPRING-7Q2"
      })
  void aWrongPrefixIsRefused(String target) {
    var answer = send("GET", target.replace("FILTER", filter()));
    var isNo = answer.status() == 403 && answer.text().isEmpty();
    assertTrue(answer.status() >= 400, target + " " + answer.status());
    assertTrue(!isNo || target.contains("element="), target);
  }

  private static void assertStatus(int status, String method, String target, String... headers) {
    var answer = send(method, target, headers);
    assertEquals(status, answer.status(), method + " " + target + ": " + answer.text());
    if (status < 300 || status == 403) {
      assertEquals("", answer.text());
    }
  }

  private static RawResponse send(String method, String target, String... headers) {
    var key = Stream.of("Authorization: Bearer " + TestKeys.READER);
    var lines =
        Stream.concat(key, Stream.of(headers)).collect(Collectors.joining("\r\n", "", "\r\n"));
    return RawHttp.send(method, target, lines, new byte[0]);
  }

  private static String filter() {
    var name = Api.newName();
    admin("{\"expectedInsertions\": 1000}").put(Api.FILTERS + name).then().statusCode(201);
    var element = "{\"elements\": [\"" + IN + "\"]}";
    admin(element).post(Api.FILTERS + name + "/add").then().statusCode(200);
    return name;
  }

  private static RequestSpecification admin(String body) {
    return Api.json(body).header("Authorization", "Bearer " + TestKeys.ADMIN);
  }
}
