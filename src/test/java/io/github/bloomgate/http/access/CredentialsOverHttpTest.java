package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.READER;
import static io.github.bloomgate.http.access.TestKeys.UNKNOWN;
import static io.github.bloomgate.http.access.TestKeys.with;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.LogRecords;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.net.SocketException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How keys are sent and replaced. */
@QuarkusTest
@TestProfile(TestKeys.class)
class CredentialsOverHttpTest {

  private static RequestSpecification basic(String user, String password) {
    return given().auth().preemptive().basic(user, password);
  }

  @Test
  void basicTakesTheTokenAsThePasswordOfAnyUser() {
    for (var user : List.of("", "reader", "über")) {
      basic(user, READER).get(Api.FILTERS).then().statusCode(200);
      basic(user, UNKNOWN).get(Api.FILTERS).then().statusCode(401);
    }
    basic(READER, "").get(Api.FILTERS).then().statusCode(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer %s", "bearer  %s", "BASIC  %s"})
  void theSchemeMayBeWrittenInAnyCase(String header) {
    var pair = Base64.getEncoder().encodeToString(utf8("a:" + READER));
    var credential = header.formatted(header.startsWith("BASIC") ? pair : READER);
    given().header("Authorization", credential).get(Api.FILTERS).then().statusCode(200);
  }

  @Test
  void twoKeysAreRefused() {
    var answer = with(READER).header("Authorization", "Bearer " + UNKNOWN).get(Api.FILTERS);
    Api.refused(400, "INVALID_REQUEST", answer.then())
        .body("detail", containsString("'authorization' more than once"));
  }

  /** Without keys, no request through a proxy is allowed. */
  @ParameterizedTest
  @CsvSource({
    "Via, 1.1 proxy, flags, 400",
    "X-Forwarded-For, 192.0.2.1, flags, 400",
    "X-Forwarded-Proto, https, absent, 400",
    "Forwarded, for=192.0.2.1, flags, 400",
    "Forwarded, for=192.0.2.1, summary, 200",
    "Pragma, no-cache, flags, 200"
  })
  void resultsAreNotInterleavedBehindAProxy(
      String header, String value, String returned, int status) {
    var filter = Api.FILTERS + "interleaved";
    with(ADMIN).contentType("application/json").body("{\"expectedInsertions\": 100}").put(filter);
    var answer =
        with(READER)
            .header(header, value)
            .contentType("text/plain; charset=utf-8")
            .body("a\n")
            .post(filter + "/test?interleave=true&return=" + returned)
            .then()
            .statusCode(status);
    if (status == 400) {
      Api.refused(400, "INVALID_REQUEST", answer).body("detail", containsString("a proxy"));
    }
  }

  @Test
  void aClientOnAnotherMachineIsAnsweredByItsKey() throws SocketException {
    var address = LocalClientsTest.addressOfThisMachine();
    assumeTrue(address.isPresent(), "this machine has only loopback addresses");
    var filters = "http://" + address.get().getHostAddress() + ":" + RestAssured.port + Api.FILTERS;

    with(READER).get(filters).then().statusCode(200);
    basic("", READER).get(filters).then().statusCode(200);
    given().get(filters).then().statusCode(401);
    with(UNKNOWN).get(filters).then().statusCode(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "Bearer",
        "Bearer ",
        "Basic",
        "Basic ",
        "Basic !!!",
        "Basic bm9jb2xvbg==",
        "Digest username=\"x\"",
        "Bearer bg_reader_",
        "Bearer \u00fc",
        "bg_reader_testOnly-testOnly-testOnly-testOnly-testOnl",
      })
  void keysInOtherHeadersAreIgnored(String header) {
    Api.refused(
        401, "UNAUTHENTICATED", given().header("Authorization", header).get(Api.FILTERS).then());
  }

  @Test
  void aStreamEndsWhenItsKeyIsRemoved() {
    var name = TestKeys.newFilter();
    var leaving = TestKeys.token("leaving");
    try {
      TestKeys.write(ApiKey.line("leaving", Role.FOLLOWER, leaving, List.of()));
      awaitStatus(200, leaving);
      var received = new AtomicReference<>("");
      var stream =
          InParallel.run(
              () -> received.set(with(leaving).get(Api.FILTERS + name + "/follow").asString()));
      Awaitility.await()
          .until(() -> with(ADMIN).get("/q/metrics").asString().contains("bloom_followers 1.0"));
      TestKeys.write();
      InParallel.resultOf(stream);
      assertTrue(received.get().contains("UNAUTHENTICATED"), received.get());
    } finally {
      TestKeys.write();
    }
  }

  @Test
  void aKeyWorksImmediatelyAndIsRefusedAfterRemoval() {
    var name = Api.newName();
    var fresh = TestKeys.token("fresh");
    with(fresh).get(Api.FILTERS).then().statusCode(401);
    try {
      TestKeys.write(ApiKey.line("fresh", Role.ADMIN, fresh, List.of()));
      awaitStatus(200, fresh);
      TestKeys.put(fresh, name, "{\"expectedInsertions\": 10}").statusCode(201);

      TestKeys.write(ApiKey.line("fresh", Role.READER, fresh, List.of()));
      Awaitility.await()
          .until(() -> with(fresh).delete(Api.FILTERS + Api.newName()).statusCode() == 403);

      TestKeys.writeOnly(List.of("fresh reader " + fresh));
      Awaitility.await()
          .until(
              () ->
                  with(ADMIN).get("/q/metrics").asString().contains("bloom_keys_file_broken 1.0"));
      with(fresh).get(Api.FILTERS).then().statusCode(200);
    } finally {
      TestKeys.write();
    }
    awaitStatus(401, fresh);
  }

  private static void awaitStatus(int status, String token) {
    Awaitility.await().until(() -> with(token).get(Api.FILTERS).statusCode() == status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sec-Fetch-Mode: cors", "User-Agent: Mozilla/5.0", "User-Agent: Wget"})
  void noResponseMakesABrowserPromptForAPassword(String header) {
    // Over plain HTTP a browser cannot be identified reliably.
    var parts = header.split(": ", 2);
    for (var path : List.of(Api.FILTERS, "/q/metrics")) {
      var answer = given().header(parts[0], parts[1]).get(path);

      assertEquals(401, answer.statusCode());
      assertEquals(
          List.of("Bearer realm=\"bloomgate\""), answer.headers().getValues("WWW-Authenticate"));
    }
  }

  @Test
  void automaticCredentialsDoNotHelpOtherSites() {
    for (var header : List.of("Origin: https://evil.example", "Sec-Fetch-Site: cross-site")) {
      var parts = header.split(": ", 2);
      var list = basic("", ADMIN).header(parts[0], parts[1]).get(Api.FILTERS);
      Api.refused(403, "FORBIDDEN", list.then());
      // A frame that stays unchanged reveals the status 204, so navigation must be refused too.
      var frame =
          basic("", ADMIN)
              .header(parts[0], parts[1])
              .headers("Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe")
              .get("/v1/gate/" + Api.newName() + "?element=x");
      Api.refused(403, "FORBIDDEN", frame.then());
      with(ADMIN).header(parts[0], parts[1]).get(Api.FILTERS).then().statusCode(200);
    }
  }

  @Test
  void onlyHealthAndThePagesNeedNoKey() {
    for (var open :
        List.of("/q/health", "/q/health/live", "/q/health/ready", "/", "/console/main.js")) {
      given().get(open).then().statusCode(200);
    }
    given().get("/q/openapi").then().statusCode(200);
    given().get("/q/swagger-ui/").then().statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/q/metrics",
        "/q/metrics/",
        "/q//metrics",
        "/q/./metrics",
        "/q/health/../metrics",
        "/q/%6Detrics",
        "/v1/../q/metrics",
        "/q/metrics?x",
        "/q/metrics/x"
      })
  void metricsNeedAKeyOnEveryPath(String path) {
    var answer = Api.raw().get(path);

    assertFalse(answer.asString().contains("bloom_keys"), path);
    assertFalse(answer.statusCode() == 200, path);
  }

  @Test
  void noLogRecordNoMetricAndNoAnswerHoldsAToken() {
    var name = Api.newName();
    try (var records = LogRecords.ofAll()) {
      for (var token : List.of(ADMIN, UNKNOWN)) {
        var answers =
            List.of(
                with(token).get(Api.FILTERS),
                basic("", token).get(Api.FILTERS),
                given().header("Authorization", "Digest " + token).get(Api.FILTERS),
                given().header("Authorization", "Bearer x" + token).get(Api.FILTERS),
                with(token).delete(Api.FILTERS + name),
                with(token).get("/v1/filters?limit=x"),
                with(token).get("/q/metrics"),
                with(token).get("/test-only/failing"),
                with(token).get("/v1/nothing"));
        answers.forEach(answer -> assertPrivate(token, answer.asString()));
      }
      var seen = records.seen();
      assertFalse(seen.isEmpty(), "the handler must see what the service logs");
      seen.forEach(record -> assertPrivate(ADMIN, record));
      seen.forEach(record -> assertPrivate(UNKNOWN, record));
    }
  }

  private static void assertPrivate(String token, String text) {
    var basic = Base64.getEncoder().encodeToString(utf8(":" + token));
    assertFalse(text.contains(token), text);
    assertFalse(text.contains(basic), text);
  }
}
