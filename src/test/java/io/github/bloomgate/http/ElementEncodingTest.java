package io.github.bloomgate.http;

import static io.github.bloomgate.http.Api.SHARP;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Encodings of elements in bodies and URLs. */
@QuarkusTest
class ElementEncodingTest {

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
    var query = new ArrayList<String>();
    for (var i = 0; i < 100; i++) {
      query.add("element=" + i);
    }
    Api.testByUrl(name, String.join("&", query)).body("mightContain", hasSize(100));
    query.add("element=101");
    Api.refused(422, "LIMIT_EXCEEDED", Api.testByUrl(name, String.join("&", query)));
  }
}
