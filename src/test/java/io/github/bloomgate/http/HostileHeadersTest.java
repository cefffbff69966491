package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.door.ShutdownGate;
import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Malicious URLs, methods, media types, codings, lengths and hosts are refused with a problem
 * document and change nothing.
 */
@QuarkusTest
class HostileHeadersTest extends HostileInput {

  private static final int BEYOND_LIMIT = 17 * 1024 * 1024;
  private static final byte[] NONE = {};

  @Inject ShutdownGate shutdown;

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

  /** The error names the type of the request, the supported types, and the option of curl. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          POST | rename      | text/html                       | application/json in UTF-8 | application/json' -d '{...}'
          POST | add         | application/json;charset=utf-16 | application/json in UTF-8 | application/json' -d '{...}'
          POST | test        | text/plain;charset=utf-16       | text/plain in UTF-8       | text/plain' --data-binary @FILE
          POST | rebuild/add |                                 | application/json in UTF-8 | text/plain' --data-binary @FILE
          PUT  | elements    | text/html                       | text/plain in UTF-8       | text/plain' --data-binary @FILE
          PUT  | import      | text/plain                      | application/octet-stream. | application/octet-stream' --data-binary @FILE
          """)
  void aWrongMediaTypeIsReported(
      String method, String operation, String type, String takes, String option) {
    var header = type == null ? "" : "Content-Type: " + type + "\r\n";
    var answer = send(method, operation, header, utf8("a"));
    var detail = refused(415, "UNSUPPORTED_FORMAT", answer).path("detail").asText();
    var sent = type == null ? "The request has no Content-Type" : "The Content-Type is '%s'";
    assertTrue(detail.startsWith(sent.formatted(type) + ", but this operation takes "), detail);
    assertTrue(detail.contains(takes), detail);
    assertTrue(detail.contains("-H 'Content-Type: " + option), detail);
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, "Content-Type: text/plain; charset=utf-16\r\n"})
  void aSecondMediaTypeIsRefused(String second) {
    for (var types :
        List.of(second + "Content-Type: text/plain\r\n", "Content-Type: text/plain\r\n" + second)) {
      refused(400, "INVALID_REQUEST", send("POST", "add", types, utf8("{\"elements\": [\"a\"]}")));
    }
    nothingChanged();
  }

  /** The client would otherwise believe that its condition was checked. */
  @ParameterizedTest
  @ValueSource(strings = {"If-None-Match: *", "If-Match: \"a\"", "If-Unmodified-Since: x"})
  void unsupportedConditionsAreRefused(String header) {
    var condition = header + "\r\n";
    for (var answer :
        List.of(
            send("POST", "add", JSON + condition, utf8("{\"elements\": [\"a\"]}")),
            send("PUT", "elements", "Content-Type: text/plain\r\n" + condition, utf8("a\n")),
            send("POST", "clear", condition, new byte[0]))) {
      refused(400, "INVALID_REQUEST", answer);
    }
    nothingChanged();
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

  @Test
  void aBodyAboveTheLimitIsRefusedHoweverItArrives() {
    var body = utf8("{\"elements\": [\"" + "a".repeat(BEYOND_LIMIT) + "\"]}");
    var blank = utf8("{\"elements\": [\"a\"]" + " ".repeat(BEYOND_LIMIT) + "}");
    var target = Api.FILTERS + name + "/add";
    var gzip = JSON + "Content-Encoding: gzip\r\n";
    for (var answer :
        List.of(
            send("POST", "add", JSON, body),
            RawHttp.sendChunked("POST", target, JSON, body),
            send("POST", "add", gzip, zipped(body)),
            send("POST", "add", gzip, zipped(blank)),
            RawHttp.sendChunked("POST", target, gzip, zipped(blank)))) {
      refused(413, "TOO_LARGE", answer);
      assertEquals("close", answer.headers().get("connection"));
    }
    nothingChanged();
  }

  @Test
  void aBodyWithinTheLimitMayComeInChunks() {
    var body = utf8("{\"elements\": [\"chunked\"]" + " ".repeat(1_000_000) + "}");
    var target = Api.FILTERS + name + "/add";
    var answer = RawHttp.sendChunked("POST", target, JSON, body);
    assertEquals(200, answer.status(), answer.text());
    Api.test(name, "chunked").body("mightContainCount", equalTo(1));
  }

  @Test
  void refusalsAreSentBefore100Continue() {
    var head =
        "POST %s%s/add HTTP/1.1\r\nHost: localhost\r\n%sExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
            .formatted(Api.FILTERS, name, JSON, BEYOND_LIMIT);
    refused(413, "TOO_LARGE", RawHttp.send(utf8(head)));
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
  void nothingIsDoneForClientsThatDoNotAcceptJson(String type) {
    var body = utf8("{\"elements\": [\"new\"]}");
    var answer = send("POST", "add", JSON + "Accept: " + type + "\r\n", body);
    var detail = refused(406, "NOT_ACCEPTABLE", answer).path("detail").asText();
    assertTrue(detail.contains("The Accept header '%s' excludes".formatted(type)), detail);
    assertTrue(detail.contains("-H 'Accept: application/json'"), detail);
    nothingChanged();
  }

  @Test
  void anExportIsNotSentToAClientThatDoesNotAcceptIt() {
    var answer = send("GET", "export", "Accept: text/html\r\n", new byte[0]);
    var detail = refused(406, "NOT_ACCEPTABLE", answer).path("detail").asText();
    assertTrue(detail.contains("-H 'Accept: application/octet-stream'"), detail);
  }

  /** The one with images is the default of Java's old client. */
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
  void clientsThatAcceptJsonAmongOthersAreServed(String types) {
    var body = utf8("{\"elements\": [\"new\"]}");
    var answer = send("POST", "add", JSON + "Accept: " + types + "\r\n", body);
    assertEquals(200, answer.status(), answer.text());
  }

  @Test
  void aRequestWithoutHostIsRefused() {
    var request = "GET %s%s HTTP/1.1\r\n\r\n".formatted(Api.FILTERS, name);
    refused(400, "INVALID_REQUEST", RawHttp.send(utf8(request)));
  }

  @Test
  void anOldClientWithoutHostIsServed() {
    var request = "GET %s%s/test?element=kept HTTP/1.0\r\n\r\n".formatted(Api.FILTERS, name);
    var answer = RawHttp.send(utf8(request));
    assertEquals(200, answer.status(), answer.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "HTTP2-Settings: !!!\r\n", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"})
  void anUpgradeIsIgnored(String settings) {
    var headers = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n";
    var request =
        "GET %s%s/test?element=kept HTTP/1.1\r\nHost: localhost\r\n%s%s\r\n"
            .formatted(Api.FILTERS, name, headers, settings);
    var answer = RawHttp.send(utf8(request));
    assertEquals(200, answer.status(), answer.text());
  }

  @Test
  void anInvalidContentLengthIsRefused() {
    for (var length : List.of("-1", "abc", "99999999999999999999")) {
      var request =
          "POST %s%s/add HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %s\r\n\r\n"
              .formatted(Api.FILTERS, name, JSON, length);
      assertEquals(400, RawHttp.send(utf8(request)).status());
    }
    nothingChanged();
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
    var headers = JSON + "Accept: text/html\r\n";
    refused(404, "NOT_FOUND", RawHttp.send("PUT", target, headers, body));
    nothingChanged();
    Api.describe("a").statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x/../v1/filters/", "//v1/filters/", "/./v1//filters/"})
  void theQueryOfADetouredPathIsChecked(String detour) {
    var body = utf8("{\"expectedInsertions\": 10}");
    var target = detour + Api.newName() + "?unknown=1";
    refused(400, "INVALID_REQUEST", RawHttp.send("PUT", target, JSON, body));
  }

  @Test
  void aDetouredPathIsRefusedDuringShutdown() {
    shutdown.refuse(true);
    try {
      var target = "/q/.." + Api.FILTERS + name + "/clear";
      refused(503, "SHUTTING_DOWN", RawHttp.send("POST", target, "", new byte[0]));
    } finally {
      shutdown.refuse(false);
    }
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "element=a&encoding=hex",
        "element=6&encoding=hex",
        "element=YQ%3D&encoding=base64",
        "element=61&encoding=hex&encoding=utf-8",
        "element=kept#",
        "element=kept#more",
        "encoding=utf-8"
      })
  void malformedQueriesAreRefused(String query) {
    refused(400, "INVALID_REQUEST", send("GET", "test?" + query, "", new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=99999999999999999999",
        "cursor=x",
        "cursor=%00",
        "cursor=YQ==YQ",
        "cursor=e30",
        "cursor=YQ&cursor=YQ",
      })
  void malformedPagesAreRefused(String query) {
    var target = "/v1/filters?" + query;
    refused(400, "INVALID_REQUEST", RawHttp.send("GET", target, "", new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%C3%A9", "%FF", "%00", "%7B", "a%2Fb"})
  void anUnusedPrefixFindsNothing(String prefix) {
    Api.list("prefix=" + prefix).body("filters", equalTo(List.of()));
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

  /** The HTTP server refuses these before the router sees them. */
  @ParameterizedTest
  @ValueSource(strings = {"%", "%zz", "a%4", "{a}", "a|b"})
  void invalidUrlsAreRefused(String element) {
    refusedByServer(400, "INVALID_REQUEST", send("GET", "test?element=" + element, "", NONE));
    var head = send("HEAD", "test?element=" + element, "", NONE);
    assertEquals(400, head.status());
    assertEquals("", head.text());
    nothingChanged();
  }

  @Test
  void aUrlThatIsTooLongIsRefused() {
    var query = "test?element=" + "a".repeat(10_000);
    refusedByServer(414, "URI_TOO_LONG", send("GET", query, "", NONE));
  }

  @Test
  void headersThatAreTooLargeAreRefused() {
    var header = "X-Long: " + "a".repeat(21_000) + "\r\n";
    refusedByServer(431, "HEADERS_TOO_LARGE", send("GET", "test?element=a", header, NONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: no\r\n\r\n"})
  void whatIsNotHttpIsRefused(String request) {
    refusedByServer(400, "INVALID_REQUEST", RawHttp.send(utf8(request)));
  }

  private static void refusedByServer(int status, String code, RawResponse answer) {
    refused(status, code, answer);
    assertEquals("no-store", answer.headers().get("cache-control"));
  }

  /** Axios and {@code curl -d ''} send the type of a form with no body. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: application/json;charset=utf-16\r\n",
        "Content-Type: garbage\r\n"
      })
  void aRequestWithoutABodyHasNoType(String type) {
    assertEquals(200, send("POST", "clear", type, NONE).status());
    assertEquals(201, send("POST", "rebuild", type, NONE).status());
    refused(409, "REBUILD_EMPTY", send("POST", "rebuild/commit", type, NONE));
    assertEquals(204, send("DELETE", "rebuild", type, NONE).status());
    refused(409, "REBUILD_EMPTY", send("PUT", "elements", type, NONE));
    refused(400, "INVALID_REQUEST", send("POST", "add", type, NONE));
    refused(422, "CORRUPT_IMPORT", send("PUT", "import", type, NONE));
  }

  @Test
  void aRequestWithoutABodyCanBeAStreamOfNoLines() {
    var answer = send("POST", "add", "Content-Type: text/plain\r\n", NONE);
    assertEquals(200, answer.status());
    assertTrue(answer.text().contains("\"received\":0"), answer.text());
  }

  /** It may be lines, which have no limit. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Type: application/x-www-form-urlencoded\r\n"})
  void aLargeBodyWithoutAUsableTypeIsRefusedForItsType(String type) {
    var body = utf8("line\n".repeat(BEYOND_LIMIT / 5));
    var problem = refused(415, "UNSUPPORTED_FORMAT", send("POST", "add", type, body));
    assertTrue(problem.path("detail").asText().contains("text/plain"), problem.toString());
    nothingChanged();
  }
}
