package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no client should send: refused with a problem document, and nothing changes. */
@QuarkusTest
class HostileInputTest {

  private static final String JSON = "Content-Type: application/json\r\n";
  private static final int BEYOND_LIMIT = 17 * 1024 * 1024;

  private String name;
  private String before;

  @BeforeEach
  void aFilterWithContent() {
    name = Api.newFilter();
    Api.add(name, "kept").statusCode(200);
    before = Api.description(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{}",
        "[]",
        "null",
        "1",
        "true",
        "\"elements\"",
        "{\"elements\": null}",
        "{\"elements\": []}",
        "{\"elements\": {}}",
        "{\"elements\": \"a\"}",
        "{\"elements\": 1}",
        "{\"elements\": [1]}",
        "{\"elements\": [1.5]}",
        "{\"elements\": [true]}",
        "{\"elements\": [null]}",
        "{\"elements\": [\"a\", null]}",
        "{\"elements\": [[\"a\"]]}",
        "{\"elements\": [{\"a\": 1}]}",
        "{\"elements\": [NaN]}",
        "[{\"elements\": [\"a\"]}]",
        "{\"Elements\": [\"a\"]}",
        "{\"elements\": [\"a\"], \"unknown\": 1}",
        "{\"elements\": [\"a\"], \"\": 1}",
        "{\"elements\": [\"a\"], \"elements\": [\"b\"]}",
        "{\"elements\": [\"a\"], \"encoding\": \"hex\", \"encoding\": \"utf-8\"}",
        "{\"elements\": [\"a\"]} x",
        "{\"elements\": [\"a\"]}{\"elements\": [\"b\"]}",
        "{\"elements\": [\"a\"]",
        "{\"elements\": [\"a",
        "{\"elements\": [\"a\",]}",
        "{\"elements\": [\"a\"],}",
        "{'elements': ['a']}",
        "{elements: [\"a\"]}",
        "{\"elements\": [a]}",
        "/* comment */ {\"elements\": [\"a\"]}",
        "{\"elements\": [\"line\nbreak\"]}",
        "{\"elements\": [\"\\q\"]}",
        "{\"elements\": [\"\\u12\"]}",
        "{\"elements\": [\"\\ud800\"]}",
        "{\"elements\": [\"a\", \"\\udc00\\ud800\"]}",
        "{\"elements\": [\"a\"], \"encoding\": \"utf8\"}",
        "{\"elements\": [\"a\"], \"encoding\": \"UTF-8\"}",
        "{\"elements\": [\"a\"], \"encoding\": \"\"}",
        "{\"elements\": [\"a\"], \"encoding\": 0}",
        "{\"elements\": [\"a\"], \"encoding\": [\"hex\"]}",
        "{\"elements\": [\"abc\"], \"encoding\": \"hex\"}",
        "{\"elements\": [\"zz\"], \"encoding\": \"hex\"}",
        "{\"elements\": [\"0x61\"], \"encoding\": \"hex\"}",
        "{\"elements\": [\"a\"], \"encoding\": \"base64\"}",
        "{\"elements\": [\"YQ=\"], \"encoding\": \"base64\"}",
        "{\"elements\": [\"Y Q==\"], \"encoding\": \"base64\"}",
        "{\"elements\": [\"+-+-\"], \"encoding\": \"base64\"}"
      })
  void malformedElementsAreRefused(String body) {
    for (var operation : List.of("add", "test")) {
      refused(400, "INVALID_REQUEST", send("POST", operation, JSON, utf8(body)));
    }
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"expectedInsertions\": \"5\"}",
        "{\"expectedInsertions\": 5.0}",
        "{\"expectedInsertions\": 5e0}",
        "{\"expectedInsertions\": 0}",
        "{\"expectedInsertions\": -0}",
        "{\"expectedInsertions\": -1}",
        "{\"expectedInsertions\": true}",
        "{\"expectedInsertions\": null}",
        "{\"expectedInsertions\": NaN}",
        "{\"expectedInsertions\": Infinity}",
        "{\"expectedInsertions\": 1e400}",
        "{\"expectedInsertions\": 1e999999999}",
        "{\"expectedInsertions\": 100000000001}",
        "{\"expectedInsertions\": 9223372036854775808}",
        "{\"expectedInsertions\": 99999999999999999999999999}",
        "{\"expectedInsertions\": 05}",
        "{\"expectedInsertions\": +5}",
        "{\"expectedInsertions\": 0x5}",
        "{\"expectedInsertions\": [5]}",
        "{\"expectedInsertions\": {}}",
        "{\"expectedInsertions\": 5, \"expectedInsertions\": 6}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": \"0.01\"}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": \"NaN\"}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": \"Infinity\"}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": NaN}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": -Infinity}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": 0}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": -0.0}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": 1e-400}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": 1e400}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": 0.51}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": 1}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": true}",
        "{\"falsePositiveProbability\": 0.01}",
        "{\"bitSize\": 64}",
        "{\"numHashFunctions\": 3}",
        "{\"bitSize\": 0, \"numHashFunctions\": 3}",
        "{\"bitSize\": 64, \"numHashFunctions\": 0}",
        "{\"bitSize\": 64, \"numHashFunctions\": 256}",
        "{\"bitSize\": 64, \"numHashFunctions\": 3.0}",
        "{\"bitSize\": 64, \"numHashFunctions\": 4294967299}",
        "{\"bitSize\": 68719476737, \"numHashFunctions\": 3}",
        "{\"bitSize\": 64, \"numHashFunctions\": 3, \"expectedInsertions\": 5}",
        "{\"expectedInsertions\": 5, \"hashScheme\": \"murmur\"}",
        "{\"expectedInsertions\": 5, \"hashScheme\": \"guava\"}",
        "{\"expectedInsertions\": 5, \"hashScheme\": \"\"}",
        "{\"expectedInsertions\": 5, \"hashScheme\": 1}",
        "{\"expectedInsertions\": 5, \"whenFull\": \"REJECT\"}",
        "{\"expectedInsertions\": 5, \"whenFull\": \"\"}",
        "{\"expectedInsertions\": 5, \"whenFull\": 1}",
        "{\"expectedInsertions\": 5, \"ttlSeconds\": 0}",
        "{\"expectedInsertions\": 5, \"ttlSeconds\": -1}",
        "{\"expectedInsertions\": 5, \"ttlSeconds\": 1.5}",
        "{\"expectedInsertions\": 5, \"ttlSeconds\": \"60\"}",
        "{\"expectedInsertions\": 5, \"ttlSeconds\": 9223372036854775807}",
        "{\"expectedInsertions\": 5, \"expiresAt\": 1893456000}",
        "{\"expectedInsertions\": 5, \"expiresAt\": 1893456000.5}",
        "{\"expectedInsertions\": 5, \"expiresAt\": \"1893456000\"}",
        "{\"expectedInsertions\": 5, \"expiresAt\": \"+1000000000-12-31T23:59:59Z\"}",
        "{\"expectedInsertions\": 5, \"expiresAt\": \"2037-02-30T00:00:00Z\"}",
        "{\"expectedInsertions\": 5, \"expiresAt\": true}",
        "{\"expectedInsertions\": 5, \"unknown\": null}"
      })
  void malformedParametersCreateNothing(String body) {
    var other = Api.newName();
    var answer = RawHttp.send(port(), "PUT", Api.FILTERS + other, JSON, utf8(body));
    refused(400, "INVALID_REQUEST", answer);
    Api.describe(other).then().statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"to\": null}",
        "{\"to\": \"\"}",
        "{\"to\": 5}",
        "{\"to\": \"a b\"}",
        "{\"to\": \"a\\n\"}",
        "{\"to\": \"a/b\"}",
        "{\"to\": \"{a}\"}",
        "{\"to\": \"new\", \"replace\": \"true\"}",
        "{\"to\": \"new\", \"replace\": 1}",
        "{\"to\": \"new\", \"unknown\": 1}"
      })
  void malformedNewNamesAreRefused(String body) {
    refused(400, "INVALID_REQUEST", send("POST", "rename", JSON, utf8(body)));
    nothingChanged();
  }

  @ParameterizedTest
  @CsvSource({
    "a lone byte above 7f, ff",
    "a character cut short, c3",
    "an overlong slash in two bytes, c0af",
    "an overlong slash in three bytes, e080af",
    "an overlong slash in four bytes, f08080af",
    "an overlong zero, c080",
    "half of a surrogate pair, eda0bd",
    "a surrogate pair as CESU-8, eda0bdedb880",
    "a character beyond Unicode, f4908080",
    "a byte that never occurs, f5808080"
  })
  void bytesThatAreNotUtf8AreRefused(String what, String hex) {
    var body = new ByteArrayOutputStream();
    body.writeBytes(utf8("{\"elements\": [\""));
    body.writeBytes(HexFormat.of().parseHex(hex));
    body.writeBytes(utf8("\"]}"));
    refused(400, "INVALID_REQUEST", send("POST", "add", JSON, body.toByteArray()));
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32", "UTF-32BE", "UTF-32LE"})
  void otherEncodingsOfUnicodeAreRefused(String charset) {
    var body = "{\"elements\": [\"kept\"]}".getBytes(Charset.forName(charset));
    refused(400, "INVALID_REQUEST", send("POST", "add", JSON, body));
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain;charset=utf-16",
        "text/json",
        "application/xml",
        "application/problem+json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "garbage",
        "application/json;charset=utf-16",
        "application/json; charset=iso-8859-1",
        "application/json; charset=\"windows-1252\"",
        "application/json; charset=no-such-charset"
      })
  void otherMediaTypesAreRefused(String type) {
    var body = utf8("{\"elements\": [\"é\"]}");
    var answer = send("POST", "add", "Content-Type: " + type + "\r\n", body);
    refused(415, "UNSUPPORTED_FORMAT", answer);
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json;charset=utf-8",
        "application/json; charset=\"UTF-8\""
      })
  void jsonInUtf8IsTaken(String type) {
    var body = utf8("{\"elements\": [\"é\"]}");
    var answer = send("POST", "add", "Content-Type: " + type + "\r\n", body);
    assertEquals(200, answer.status(), answer.body());
    Api.testEncoded(name, "hex", List.of("c3a9")).body("mightContainCount", equalTo(1));
  }

  @Test
  void zippedJsonIsTaken() {
    var body = zipped(utf8("{\"elements\": [\"zipped\"]}"));
    var answer = send("POST", "add", JSON + "Content-Encoding: gzip\r\n", body);
    assertEquals(200, answer.status(), answer.body());
    Api.test(name, "zipped").body("mightContainCount", equalTo(1));
  }

  static Stream<Arguments> malformedZips() {
    var body = zipped(utf8("{\"elements\": [\"zipped\"]}"));
    return Stream.of(
        Arguments.of("no gzip", utf8("{\"elements\": [\"zipped\"]}")),
        Arguments.of("without its checksum", Arrays.copyOf(body, body.length - 6)),
        Arguments.of("cut short", Arrays.copyOf(body, body.length / 2)),
        Arguments.of("twice", zipped(body)),
        Arguments.of("with something behind its end", Arrays.copyOf(body, body.length + 3)),
        Arguments.of("nothing", new byte[0]));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformedZips")
  void malformedZipsAreRefused(String what, byte[] body) {
    var answer = send("POST", "add", JSON + "Content-Encoding: gzip\r\n", body);
    refused(400, "INVALID_REQUEST", answer);
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "gzip, gzip", "unknown"})
  void otherCodingsAreRefused(String coding) {
    var body = utf8("{\"elements\": [\"a\"]}");
    var answer = send("POST", "add", JSON + "Content-Encoding: " + coding + "\r\n", body);
    refused(415, "UNSUPPORTED_FORMAT", answer);
    nothingChanged();
  }

  @Test
  void aBodyBeyondTheLimitIsRefusedHoweverItComes() {
    var body = utf8("{\"elements\": [\"" + "a".repeat(BEYOND_LIMIT) + "\"]}");
    var blank = utf8("{\"elements\": [\"a\"]" + " ".repeat(BEYOND_LIMIT) + "}");
    var target = Api.FILTERS + name + "/add";
    var gzip = JSON + "Content-Encoding: gzip\r\n";
    for (var answer :
        List.of(
            send("POST", "add", JSON, body),
            RawHttp.sendChunked(port(), "POST", target, JSON, body),
            send("POST", "add", gzip, zipped(body)),
            send("POST", "add", gzip, zipped(blank)),
            RawHttp.sendChunked(port(), "POST", target, gzip, zipped(blank)))) {
      refused(413, "TOO_LARGE", answer);
      assertEquals("close", answer.headers().get("connection"));
    }
    nothingChanged();
  }

  @Test
  void aBodyWithinTheLimitMayComeInChunks() {
    var body = utf8("{\"elements\": [\"chunked\"]" + " ".repeat(1_000_000) + "}");
    var target = Api.FILTERS + name + "/add";
    var answer = RawHttp.sendChunked(port(), "POST", target, JSON, body);
    assertEquals(200, answer.status(), answer.body());
    Api.test(name, "chunked").body("mightContainCount", equalTo(1));
  }

  @Test
  void whoAwaitsToContinueIsToldBeforeTheBody() {
    var head =
        "POST %s%s/add HTTP/1.1\r\nHost: localhost\r\n%sExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
            .formatted(Api.FILTERS, name, JSON, BEYOND_LIMIT);
    refused(413, "TOO_LARGE", RawHttp.send(port(), utf8(head)));
    nothingChanged();
  }

  @Test
  void deepNestingIsRefused() {
    for (var body :
        List.of(
            "{\"elements\": " + "[".repeat(100_000),
            "{\"a\":".repeat(100_000),
            "[".repeat(100_000),
            "{\"elements\": [\"a\"], \"x\": " + "[".repeat(900) + "]".repeat(900) + "}")) {
      refused(400, "INVALID_REQUEST", send("POST", "add", JSON, utf8(body)));
    }
    nothingChanged();
  }

  @Test
  void hugeTokensAreRefused() {
    for (var body :
        List.of(
            "{\"elements\": [\"" + "a".repeat(10_000_000) + "\"]}",
            "{\"" + "a".repeat(100_000) + "\": 1}",
            "{\"elements\": [" + "9".repeat(100_000) + "]}")) {
      var answer = send("POST", "add", JSON, utf8(body));
      var isElement = body.endsWith("a\"]}");
      refused(isElement ? 422 : 400, isElement ? "LIMIT_EXCEEDED" : "INVALID_REQUEST", answer);
      assertTrue(answer.body().length() < 2000, "the answer repeats the request");
    }
    nothingChanged();
  }

  @Test
  void aFieldNameIsShownAsFarAsItIsHarmless() {
    var body = "{\"elements\": [\"a\"], \"<b>\\u0000alice@example.com\": 1}";
    Api.post(name, "add", body)
        .then()
        .statusCode(400)
        .body("detail", not(containsString("<b>")))
        .body("detail", not(containsString("alice@example.com")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/*", "text/html", "application/json"})
  void whatIsNotThereIsNotFoundWhateverIsAccepted(String accept) {
    given()
        .contentType("application/json")
        .accept(accept)
        .body("{}")
        .put("/v2/filters/" + name)
        .then()
        .statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b",
        "..",
        "%2e%2e",
        "a/../../x",
        "a;b=c",
        "a;",
        "{0};v=1",
        "{0}/add/x",
        "{0}/unknown"
      })
  void pathsThatLeadNowhereAreNotFound(String path) {
    var target = Api.FILTERS + path.replace("{0}", name);
    var body = utf8("{\"expectedInsertions\": 10}");
    refused(404, "NOT_FOUND", RawHttp.send(port(), "PUT", target, JSON, body));
    nothingChanged();
    Api.describe("a").then().statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "element",
        "Element=a",
        "element=a&unknown=1",
        "element=a&encoding=hex",
        "element=6&encoding=hex",
        "element=YQ%3D&encoding=base64",
        "element=a&encoding=utf8",
        "element=61&encoding=hex&encoding=utf-8",
        "element=a&encodng=hex",
        "encoding=utf-8"
      })
  void malformedQueriesAreRefused(String query) {
    var target = Api.FILTERS + name + "/test?" + query;
    var answer = RawHttp.send(port(), "GET", target, "", new byte[0]);
    if (query.equals("element")) {
      // A parameter without a value is the empty element.
      assertEquals(200, answer.status());
    } else {
      refused(400, "INVALID_REQUEST", answer);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=0",
        "limit=501",
        "limit=-1",
        "limit=1.5",
        "limit=abc",
        "limit=NaN",
        "limit=99999999999999999999",
        "limit=1&limit=2",
        "cursor=x",
        "cursor=%00",
        "cursor=YQ==YQ",
        "cursor=e30",
        "cursor=YQ&cursor=YQ",
        "prefix=a&prefix=b",
        "unknown=1"
      })
  void malformedPagesAreRefused(String query) {
    var target = "/v1/filters?" + query;
    refused(400, "INVALID_REQUEST", RawHttp.send(port(), "GET", target, "", new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%C3%A9", "%FF", "%00", "%7B", "a%2Fb"})
  void aPrefixThatNoNameHasFindsNothing(String prefix) {
    Api.raw()
        .get("/v1/filters?prefix=" + prefix)
        .then()
        .statusCode(200)
        .body("filters", equalTo(List.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "TRACE", "PUT", "DELETE", "UNKNOWN", "get"})
  void otherMethodsAreNotAllowed(String method) {
    refused(405, "METHOD_NOT_ALLOWED", send(method, "add", JSON, new byte[0]));
    nothingChanged();
  }

  @Test
  void headAnswersWithoutABody() {
    var answer = send("HEAD", "unknown", "", new byte[0]);
    assertEquals(404, answer.status());
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    assertEquals(405, send("HEAD", "add", "", new byte[0]).status());
  }

  @Test
  void optionsTellTheMethods() {
    var answer = RawHttp.send(port(), "OPTIONS", Api.FILTERS + name, "", new byte[0]);
    assertEquals(200, answer.status());
    assertTrue(answer.headers().get("allow").contains("GET"), answer.headers().toString());
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "application/xml",
        "garbage",
        "application/json;q=0",
        "application/json;q=0, */*",
        "application/json;q=x",
        "*",
        "*;q=1",
        "text/html, *",
        "*/json",
        ";"
      })
  void whoAcceptsNoJsonGetsNothingDone(String type) {
    var body = utf8("{\"elements\": [\"new\"]}");
    var answer = send("POST", "add", JSON + "Accept: " + type + "\r\n", body);
    refused(406, "NOT_ACCEPTABLE", answer);
    nothingChanged();
  }

  /** The one with images is what Java's own old client sends by itself. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/*",
        "application/*",
        "*, application/json",
        "application/problem+json",
        "text/json",
        "text/html\r\nAccept: application/json;q=0.1",
        "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
        "APPLICATION/JSON; charset=utf-8"
      })
  void whoAcceptsJsonAmongOthersIsServed(String types) {
    var body = utf8("{\"elements\": [\"new\"]}");
    var answer = send("POST", "add", JSON + "Accept: " + types + "\r\n", body);
    assertEquals(200, answer.status(), answer.body());
  }

  @Test
  void aRequestWithoutHostIsRefused() {
    var request = "GET %s%s HTTP/1.1\r\n\r\n".formatted(Api.FILTERS, name);
    refused(400, "INVALID_REQUEST", RawHttp.send(port(), utf8(request)));
  }

  @Test
  void anOldClientWithoutHostIsServed() {
    var request = "GET %s%s/test?element=kept HTTP/1.0\r\n\r\n".formatted(Api.FILTERS, name);
    var answer = RawHttp.send(port(), utf8(request));
    assertEquals(200, answer.status(), answer.body());
  }

  /** The framework answers these before the service sees them, so they have no problem document. */
  @ParameterizedTest
  @CsvSource({
    "?element=%, 400",
    "?element=%zz, 400",
    "?element=a%4, 400",
    "?element={a}, 400",
    "?element=a|b, 400"
  })
  void urlsThatAreNoneAreRefused(String query, int status) {
    var target = Api.FILTERS + name + "/test" + query;
    assertEquals(status, RawHttp.send(port(), "GET", target, "", new byte[0]).status());
    nothingChanged();
  }

  @Test
  void aUrlThatIsTooLongIsRefused() {
    var target = Api.FILTERS + name + "/test?element=" + "a".repeat(10_000);
    assertEquals(414, RawHttp.send(port(), "GET", target, "", new byte[0]).status());
  }

  @Test
  void aLengthThatIsNoneIsRefused() {
    for (var length : List.of("-1", "abc", "99999999999999999999")) {
      var request =
          "POST %s%s/add HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %s\r\n\r\n"
              .formatted(Api.FILTERS, name, JSON, length);
      assertEquals(400, RawHttp.send(port(), utf8(request)).status());
    }
    nothingChanged();
  }

  private RawHttp.Answer send(String method, String operation, String headers, byte[] body) {
    return RawHttp.send(port(), method, Api.FILTERS + name + "/" + operation, headers, body);
  }

  private static int port() {
    return RestAssured.port;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] zipped(byte[] content) {
    var zipped = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(zipped)) {
      gzip.write(content);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return zipped.toByteArray();
  }

  private void nothingChanged() {
    assertEquals(before, Api.description(name));
    given().get(Api.FILTERS + name + "/test?element=kept").then().statusCode(200);
  }

  private static void refused(int status, String code, RawHttp.Answer answer) {
    assertEquals(status, answer.status(), answer.body());
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    assertFalse(answer.body().isEmpty());
    var problem = Api.tree(answer.body());
    assertEquals(status, problem.path("status").asInt());
    assertEquals(code, problem.path("code").asText());
  }
}
