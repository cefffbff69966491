package io.github.bloomgate.http;

import static io.github.bloomgate.http.Api.SHARP;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Adding and testing elements, also at the gate: answers, limits and encodings. */
@QuarkusTest
class ElementResourceTest {

  @Test
  void eachAddedElementIsReportedAsNewOrKnown() {
    var name = Api.newFilter(SHARP);
    Api.add(name, "a", "b")
        .statusCode(200)
        .contentType("application/json")
        .body("added", equalTo(List.of(true, true)))
        .body("addedCount", equalTo(2));
    Api.add(name, "b", "c", "a", "d")
        .body("added", equalTo(List.of(false, true, false, true)))
        .body("addedCount", equalTo(2));
  }

  @Test
  void anElementRepeatedWithinARequestIsNewOnce() {
    var name = Api.newFilter(SHARP);
    Api.add(name, "a", "a", "b", "a", "b")
        .body("added", equalTo(List.of(true, false, true, false, false)))
        .body("addedCount", equalTo(2));
    Api.describe(name).body("insertions", equalTo(2));
  }

  /** Enough elements to be hashed in several steps. */
  @Test
  void elementsOfManyHashFunctionsAreAnsweredInOrder() {
    var name = Api.newFilter("{\"bitSize\": 10000000, \"numHashFunctions\": 255}");
    var elements = IntStream.range(0, 1000).mapToObj(i -> "e" + i).toArray(String[]::new);
    elements[900] = "e5";
    Api.add(name, elements)
        .statusCode(200)
        .body("addedCount", equalTo(999))
        .body("added[899]", equalTo(true))
        .body("added[900]", equalTo(false));
    elements[300] = "absent";
    Api.test(name, elements)
        .body("mightContainCount", equalTo(999))
        .body("mightContain[300]", equalTo(false));
    Api.describe(name).body("insertions", equalTo(999));
  }

  @Test
  void eachTestedElementIsAnsweredInOrder() {
    var name = Api.newFilter(SHARP);
    Api.add(name, "a", "b").statusCode(200);
    Api.test(name, "b", "x", "a", "b")
        .statusCode(200)
        .body("mightContain", equalTo(List.of(true, false, true, true)))
        .body("mightContainCount", equalTo(3));
    Api.testByUrl(name, "element=b&element=x&element=a&element=b")
        .statusCode(200)
        .body("mightContain", equalTo(List.of(true, false, true, true)))
        .body("mightContainCount", equalTo(3));
  }

  @Test
  void testingAddsNothing() {
    var name = Api.newFilter(SHARP);
    var before = Api.description(name);
    Api.test(name, "a").body("mightContainCount", equalTo(0));
    Api.testByUrl(name, "element=a").body("mightContainCount", equalTo(0));
    assertEquals(before, Api.description(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"add", "test"})
  void oneMoreThanTenThousandElementsAreRefused(String operation) {
    var name = Api.newFilter(SHARP);
    var before = Api.description(name);
    var elements = IntStream.range(0, 10_001).mapToObj(i -> "e" + i).toList();
    Api.refused(422, "LIMIT_EXCEEDED", Api.post(name, operation, Map.of("elements", elements)))
        .body("detail", containsString("10001 elements; the limit is 10000"));
    assertEquals(before, Api.description(name));
  }

  @Test
  void anElementMayHave65536Bytes() {
    var name = Api.newFilter(SHARP);
    var longest = "x".repeat(65_536);
    Api.add(name, "a", longest).body("addedCount", equalTo(2));
    Api.test(name, longest, "x".repeat(65_535)).body("mightContain", equalTo(List.of(true, false)));
  }

  @Test
  void aLongerElementIsRefusedByItsIndexAndNothingIsAdded() {
    var name = Api.newFilter(SHARP);
    var before = Api.description(name);
    for (var tooLong : List.of("x".repeat(65_537), "é".repeat(32_769))) {
      Api.refused(422, "LIMIT_EXCEEDED", Api.add(name, "a", "b", tooLong))
          .body("detail", containsString("The element at index 2"))
          .body("detail", containsString("the limit is 65536"));
      Api.test(name, "a", tooLong).statusCode(422).body("detail", containsString("index 1"));
    }
    assertEquals(before, Api.description(name));
  }

  @Test
  void aFullFilterRejectsNewElementsAndAnswersKnownOnes() {
    var name = Api.newFilter("{\"expectedInsertions\": 3, \"whenFull\": \"reject\"}");
    Api.add(name, "a", "b").body("addedCount", equalTo(2));
    Api.refused(409, "FILTER_FULL", Api.add(name, "a", "c", "d", "e"))
        .body("appliedCount", equalTo(2));
    Api.describe(name).body("insertions", equalTo(3)).body("whenFull", equalTo("reject"));
    Api.test(name, "a", "b", "c").body("mightContainCount", equalTo(3));
    Api.add(name, "c", "a", "b").statusCode(200).body("addedCount", equalTo(0));
    Api.add(name, "d").statusCode(409).body("appliedCount", equalTo(0));
  }

  @Test
  void aFilterAcceptsMoreThanExpectedByDefault() {
    var name = Api.newFilter("{\"expectedInsertions\": 1}");
    Api.add(name, "a", "b", "c", "d", "e", "f").statusCode(200);
    Api.test(name, "a", "b", "c", "d", "e", "f").body("mightContainCount", equalTo(6));
  }

  @Test
  void onlyElementsThatMayExistPassTheGate() {
    var name = Api.newFilter();
    Api.add(name, "let in").statusCode(200);
    gate(name, "element=let+in").statusCode(204).body(emptyString());
    gate(name, "element=let%20in&encoding=utf-8").statusCode(204);
    gate(name, "element=keep+out").statusCode(403).body(emptyString());
  }

  @Test
  void anElementAtTheGateMayBeEncoded() {
    var name = Api.newFilter();
    Api.addEncoded(name, "hex", List.of("00ff")).statusCode(200);
    gate(name, "element=00ff&encoding=hex").statusCode(204);
    gate(name, "element=AP8&encoding=base64").statusCode(204);
    gate(name, "element=%00%FF").statusCode(204);
    gate(name, "element=00ff").statusCode(403);
  }

  @Test
  void theGateAcceptsAnyMediaType() {
    var name = Api.newFilter();
    var answer = Api.raw().accept("text/html").get("/v1/gate/" + name + "?element=a").then();
    answer.statusCode(403).body(emptyString());
  }

  @Test
  void anInvalidElementIsNotAnsweredAsNoAtTheGate() {
    Api.refused(400, "INVALID_REQUEST", gate(Api.newFilter(), "element=xyz&encoding=hex"));
  }

  private static ValidatableResponse gate(String name, String query) {
    return Api.raw().get("/v1/gate/" + name + "?" + query).then();
  }

  @Test
  void queryParametersOfLinesWorkWithAJsonBody() {
    var name = Api.newFilter(SHARP);
    Api.add(name, "old").statusCode(200);
    var body = Map.of("elements", List.of("old", "new"));
    Api.post(name, "test?return=flags", body).body("mightContain", equalTo(List.of(true, false)));
    Api.post(name, "test?return=present", body).body("elements", equalTo(List.of("old")));
    Api.post(name, "test?return=absent", body).body("elements", equalTo(List.of("new")));
    Api.post(name, "test?return=summary", body)
        .body("received", equalTo(2))
        .body("mightContainCount", equalTo(1));
    Api.post(name, "add?return=added&durability=primary", body)
        .body("elements", equalTo(List.of("new")));
    Api.post(name, "add?return=known", body).body("elements", equalTo(List.of("old", "new")));
    Api.post(name, "add?return=summary&encoding=utf-8", body)
        .statusCode(200)
        .body("received", equalTo(2))
        .body("addedCount", equalTo(0));
    Api.post(name, "add?return=flags", body).body("added", equalTo(List.of(false, false)));
  }

  @Test
  void theEncodingIsReadFromTheUrlOrFromTheBody() {
    var name = Api.newFilter(SHARP);
    Api.post(name, "add?encoding=hex", Map.of("elements", List.of("616263"))).statusCode(200);
    Api.test(name, "abc", "616263").body("mightContain", equalTo(List.of(true, false)));
    var both = Map.of("elements", List.of("616263"), "encoding", "hex");
    Api.post(name, "test?encoding=hex", both).body("mightContainCount", equalTo(1));
    Api.refused(400, "INVALID_REQUEST", Api.post(name, "test?encoding=utf-8", both));
  }

  @Test
  void theThreeEncodingsStandForTheSameBytes() {
    var name = Api.newFilter(SHARP);
    Api.add(name, "näïve?>").statusCode(200);
    var bytes = "näïve?>".getBytes(StandardCharsets.UTF_8);
    var hex = HexFormat.of().formatHex(bytes);
    Api.testEncoded(name, "utf-8", List.of("näïve?>")).body("mightContainCount", equalTo(1));
    Api.testEncoded(name, "hex", List.of(hex, hex.toUpperCase(Locale.ROOT)))
        .body("mightContainCount", equalTo(2));
    Api.testEncoded(
            name,
            "base64",
            List.of(
                Base64.getEncoder().encodeToString(bytes),
                Base64.getEncoder().withoutPadding().encodeToString(bytes),
                Base64.getUrlEncoder().encodeToString(bytes),
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
        .body("mightContainCount", equalTo(4));
  }

  @Test
  void everyByteIsADifferentElement() {
    var name = Api.newFilter(SHARP);
    var bytes = IntStream.range(0, 256).mapToObj("%02x"::formatted).toList();
    Api.addEncoded(name, "hex", bytes).body("addedCount", equalTo(256));
    Api.addEncoded(
            name,
            "base64",
            IntStream.range(0, 256)
                .mapToObj(i -> Base64.getEncoder().encodeToString(new byte[] {(byte) i}))
                .toList())
        .body("addedCount", equalTo(0));
    for (var from = 0; from < 256; from += 64) {
      var query = bytes.subList(from, from + 64).stream().map(b -> "element=%" + b).toList();
      Api.testByUrl(name, String.join("&", query)).body("mightContainCount", equalTo(64));
    }
  }

  @Test
  void theEmptyStringIsAnElement() {
    var name = Api.newFilter(SHARP);
    Api.test(name, "").body("mightContainCount", equalTo(0));
    Api.add(name, "").body("addedCount", equalTo(1));
    Api.test(name, "", " ").body("mightContain", equalTo(List.of(true, false)));
    Api.testEncoded(name, "hex", List.of("")).body("mightContainCount", equalTo(1));
    Api.testEncoded(name, "base64", List.of("")).body("mightContainCount", equalTo(1));
    Api.testByUrl(name, "element=").body("mightContainCount", equalTo(1));
    var withoutAValue = RawHttp.send("GET", Api.FILTERS + name + "/test?element", "", new byte[0]);
    assertEquals("{\"mightContain\":[true],\"mightContainCount\":1}\n", withoutAValue.text());
  }

  @Test
  void charactersBeyondTheFirstPlaneAreFourBytes() {
    var name = Api.newFilter(SHARP);
    Api.add(name, "😀").statusCode(200);
    Api.testEncoded(name, "hex", List.of("f09f9880")).body("mightContainCount", equalTo(1));
    Api.post(name, "test", "{\"elements\": [\"\\ud83d\\ude00\"]}")
        .body("mightContainCount", equalTo(1));
    Api.testByUrl(name, "element=%F0%9F%98%80").body("mightContainCount", equalTo(1));
  }

  @ParameterizedTest
  @CsvSource({
    "a%20b, 612062",
    "a+b, 612062",
    "a%2Bb, 612b62",
    "%00, 00",
    "%FF, ff",
    "%C3%A9, c3a9",
    "%c3%a9, c3a9",
    "%E9, e9",
    "%25, 25",
    "a=b, 613d62",
    "a;b, 613b62",
    "a%26b, 612662",
    "a%3Db, 613d62",
    "a/b?c, 612f623f63",
    "a%23b, 612362"
  })
  void anElementInAUrlIsTheBytesOfItsPercentEncoding(String element, String hex) {
    var name = Api.newFilter(SHARP);
    Api.testByUrl(name, "element=" + element).body("mightContain", equalTo(List.of(false)));
    Api.addEncoded(name, "hex", List.of(hex)).statusCode(200);
    Api.testByUrl(name, "element=" + element).body("mightContain", equalTo(List.of(true)));
  }

  @Test
  void anElementInAUrlMayBeEncoded() {
    var name = Api.newFilter(SHARP);
    Api.addEncoded(name, "hex", List.of("fbefbeff")).statusCode(200);
    Api.testByUrl(name, "element=FBEFbeff&encoding=hex").body("mightContainCount", equalTo(1));
    Api.testByUrl(name, "encoding=base64&element=----_w&element=%2B%2B%2B%2B%2Fw%3D%3D")
        .body("mightContainCount", equalTo(2));
    Api.testByUrl(name, "element=FBEFbeff&encoding=utf-8").body("mightContainCount", equalTo(0));
  }

  @Test
  void aUrlTakesAHundredElements() {
    var name = Api.newFilter(SHARP);
    var query = String.join("&", Collections.nCopies(100, "element=a"));
    Api.testByUrl(name, query).body("mightContain", hasSize(100));
    Api.refused(422, "LIMIT_EXCEEDED", Api.testByUrl(name, query + "&element=b"));
  }
}
