package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static io.github.bloomgate.support.Bytes.joined;
import static io.github.bloomgate.support.Bytes.utf8;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Malicious bodies are refused with a problem document and change nothing. {@link
 * StrictRequestTest} covers bodies that only break the schema of a field.
 */
@QuarkusTest
class HostileBodiesTest extends HostileInput {

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "null",
        "{\"elements\": [\"a\", null]}",
        "[{\"elements\": [\"a\"]}]",
        "{\"Elements\": [\"a\"]}",
        "{\"elements\": [\"a\"]}{\"elements\": [\"b\"]}",
        "{\"elements\": [\"a\"]",
        "{\"elements\": [\"a\"],}",
        "{'elements': ['a']}",
        "{elements: [\"a\"]}",
        "/* comment */ {\"elements\": [\"a\"]}",
        "{\"elements\": [\"line\nbreak\"]}",
        "{\"elements\": [\"\\q\"]}",
        "{\"elements\": [\"\\ud800\"]}",
        "{\"elements\": [\"a\", \"\\udc00\\ud800\"]}",
        "{\"elements\": [\"zz\"], \"encoding\": \"hex\"}",
        "{\"elements\": [\"+-+-\"], \"encoding\": \"base64\"}"
      })
  void malformedElementsAreRefused(String body) {
    for (var operation : List.of("add", "test")) {
      refused(400, "INVALID_REQUEST", send("POST", operation, JSON, utf8(body)));
    }
    nothingChanged();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'elements': ['a'], 'elements': ['b']} | The body has a field twice (line 1, column 31).",
        "{'elements': ['a'] 'encoding': 'hex'} | The body is not well-formed JSON (line 1, column 20).",
      })
  void errorsExplainInvalidJson(String body, String detail) {
    Api.refused(400, "INVALID_REQUEST", Api.post(name, "add", body.replace('\'', '"')))
        .body("detail", startsWith(detail));
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"expectedInsertions\": 1e-999999999}",
        "{\"expectedInsertions\": 1e999999999}",
        "{\"expectedInsertions\": 05}",
        "{\"expectedInsertions\": +5}",
        "{\"expectedInsertions\": 5, \"falsePositiveProbability\": NaN}",
        "{\"falsePositiveProbability\": 0.01}",
        "{\"bitSize\": 64}",
        "{\"numHashFunctions\": 3}",
        "{\"bitSize\": 64, \"numHashFunctions\": 4294967299.0}",
        "{\"bitSize\": 64, \"numHashFunctions\": 3, \"expectedInsertions\": 5}",
        "{\"expectedInsertions\": 5, \"expiresAt\": \"+1000000000-12-31T23:59:59Z\"}",
        "{\"expectedInsertions\": 5, \"expiresAt\": \"2037-02-30T00:00:00Z\"}"
      })
  void malformedParametersCreateNothing(String body) {
    var other = Api.newName();
    var answer = RawHttp.send("PUT", Api.FILTERS + other, JSON, utf8(body));
    refused(400, "INVALID_REQUEST", answer);
    Api.describe(other).statusCode(404);
  }

  /** A lone byte, part of a character, a long form, a surrogate, and one beyond Unicode. */
  @ParameterizedTest
  @ValueSource(strings = {"ff", "c3", "c0af", "eda0bd", "f4908080"})
  void bytesThatAreNotUtf8AreRefused(String hex) {
    var element = HexFormat.of().parseHex(hex);
    var body = joined(utf8("{\"elements\": [\""), element, utf8("\"]}"));
    refused(400, "INVALID_REQUEST", send("POST", "add", JSON, body));
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
        "application/json",
        "application/json;charset=utf-8",
        "application/json; charset=\"UTF-8\""
      })
  void jsonMayBeUtf8(String type) {
    var body = utf8("{\"elements\": [\"é\"]}");
    var answer = send("POST", "add", "Content-Type: " + type + "\r\n", body);
    assertEquals(200, answer.status(), answer.text());
    Api.testEncoded(name, "hex", List.of("c3a9")).body("mightContainCount", equalTo(1));
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
      assertTrue(answer.text().length() < 2000, "the answer repeats the request");
    }
    nothingChanged();
  }

  @ParameterizedTest
  @CsvSource({"/v1/add, filters", "/v1/test, filters", "{0}/merge, from"})
  void onlyAFewOfTooManyNamesAreChecked(String path, String field) {
    var elements = field.equals("from") ? "" : ", \"elements\": [\"a\"]";
    var names = String.join(",", Collections.nCopies(4000, "\"\""));
    var body = "{\"%s\": [%s]%s}".formatted(field, names, elements);
    var target = path.replace("{0}", Api.FILTERS + name);
    var answer = RawHttp.send("POST", target, JSON, utf8(body));
    refused(400, "INVALID_REQUEST", answer);
    assertTrue(answer.text().length() < 20_000, "the answer has a violation for each name");
    nothingChanged();
  }

  @ParameterizedTest
  @CsvSource({
    "expectedInsertions, '\"1000\"', 'must be a whole number (line 1, column '",
    "expectedInsertions, 1000.5, 'must be a whole number (line 1, column '",
    "expectedInsertions, 1e30, 'must be a whole number (line 1, column '",
    "expectedInsertions, 9223372036854775808, 'must be from -9223372036854775808 to 9223372036854775807 (line 1, column '",
    "expectedInsertions, 0, 'is 0, but must be at least 1'",
    "expectedInsertions, 100000000001, 'is 100000000001, but must be at most 100000000000'",
    "numHashFunctions, 4294967299, 'must be from -2147483648 to 2147483647 (line 1, column '",
    "falsePositiveProbability, '[1]', 'must be a number (line 1, column '",
    "falsePositiveProbability, '\"1%\"', 'must be a number (line 1, column '",
    "falsePositiveProbability, 1, 'is 1.0, but must be below 1'",
    "falsePositiveProbability, 1e-15, 'is 1.0E-15, but must be at least 1e-12'",
    "whenFull, '\"Grow\"', 'must be one of accept, reject, grow (line 1, column '",
    "counting, 1, 'must be true or false (line 1, column '",
    "refresh, 1, 'must be true or false (line 1, column '",
    "hashScheme, 1, 'must be a string (line 1, column '",
    "window, 60, 'must be a JSON object (line 1, column '",
    "expiresAt, '\"2027-01-01\"', 'must be a time with its zone, such as 2027-01-31T12:00:00Z (line 1'",
  })
  void aWrongValueIsReportedWithTheExpectedOne(String field, String value, String message) {
    var body = "{\"%s\": %s}".formatted(field, value);
    Api.refused(400, "INVALID_REQUEST", Api.json(body).put(Api.FILTERS + Api.newName()).then())
        .body("violations[0].field", equalTo(field))
        .body("detail", startsWith(field + " " + message));
  }

  @ParameterizedTest
  @CsvSource({
    "add, '{\"elements\": \"a\"}', elements must be an array of strings (line 1",
    "add, '{\"elements\": [1]}', elements[0] must be a string (line 1",
    "add, '{\"elements\": null}', elements is missing.",
    "add, '[\"a\"]', The body must be a single JSON object (line 1",
    "add, '', 'body is missing; send a JSON object, with curl: -H ''Content-Type: application/json'' -d ''{...}'''",
    "rename, '{\"to\": \"a/b\"}', to must be 1 to 128 characters of A-Z a-z 0-9",
    "rename, '{\"to\": \"a\\n\"}', to must be 1 to 128 characters of A-Z a-z 0-9",
  })
  void aWrongBodyIsReportedWithTheExpectedOne(String operation, String body, String detail) {
    Api.post(name, operation, body).statusCode(400).body("detail", startsWith(detail));
    nothingChanged();
  }

  @Test
  void unknownFieldNamesAreShownSafely() {
    var body = "{\"elements\": [\"a\"], \"<b>\\u0000alice@example.com\": 1}";
    Api.post(name, "add", body)
        .statusCode(400)
        .body("detail", not(containsString("<b>")))
        .body("detail", not(containsString("alice@example.com")));
  }
}
