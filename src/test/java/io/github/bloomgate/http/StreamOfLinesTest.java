package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Complete streams of lines over HTTP, on a real Redis. */
@QuarkusTest
class StreamOfLinesTest extends LineStreams {

  private static final int MANY = 250_000;
  private static final int EARLY = 20_000;

  @Test
  void linesBeyondTheLimitOfJsonAreAddedAndFoundAgain() {
    var name = Api.newFilter("{\"expectedInsertions\": 250000}");
    var body =
        lines(0, MANY, "an element that is long enough for a body larger than JSON may be: %d\n");
    assertTrue(body.length > 16 * 1024 * 1024);

    var added = JsonPath.from(ok(send(name, "add", TEXT, body)));
    assertEquals(MANY, added.getInt("received"));
    // At a false-positive rate of up to 1 %, some new elements count as known.
    assertTrue(added.getInt("addedCount") > 0.99 * MANY, added.prettify());
    assertTrue(added.getInt("addedCount") < MANY, added.prettify());

    var tested = JsonPath.from(ok(sendChunked(name, "test", TEXT, body)));
    assertEquals(MANY, tested.getInt("received"));
    assertEquals(MANY, tested.getInt("mightContainCount"));
    assertEquals("", ok(send(name, "test?return=absent", TEXT, body)));
  }

  @Test
  void everyReturnIsInTheOrderOfTheLines() {
    for (var name : List.of(Api.newFilter(), Api.newFilterOfTwoSegments())) {
      Api.add(name, "b", "d").statusCode(200);
      var body = utf8("a\nb\r\na\n\nd\nc");

      assertEquals("0\n1\n0\n0\n1\n0\n", ok(send(name, "test?return=flags", TEXT, body)));
      assertEquals("b\r\nd\n", ok(send(name, "test?return=present", TEXT, body)));
      assertEquals("a\na\n\nc\n", ok(send(name, "test?return=absent", TEXT, body)));
      assertEquals(
          "{\"received\":6,\"mightContainCount\":2}\n", ok(send(name, "test", TEXT, body)));
      assertEquals("a\n\nc\n", ok(send(name, "add?return=added", TEXT, body)));
      assertEquals("a\nb\r\na\n\nd\nc\n", ok(send(name, "add?return=known", TEXT, body)));
      assertEquals("0\n0\n1\n", ok(send(name, "add?return=flags", TEXT, utf8("a\nb\ne\n"))));
      assertEquals(
          "{\"received\":2,\"addedCount\":1,\"knownCount\":1}\n",
          ok(send(name, "add", TEXT, utf8("e\nf"))));
    }
  }

  @Test
  void resultsHaveTheMediaTypeOfTheirContent() {
    var name = Api.newFilter();
    var json = utf8("\"x\"\n \"\\u0079\" \n");
    for (var mode : List.of("flags", "present", "absent")) {
      var answer = send(name, "test?return=" + mode, NDJSON, json);
      var type = mode.equals("flags") ? "text/plain" : "application/x-ndjson";
      assertTrue(answer.headers().get("content-type").startsWith(type), answer.toString());
    }
    var answer = send(name, "test", NDJSON, json);
    assertTrue(answer.headers().get("content-type").startsWith("application/json"));
    assertEquals("\"x\"\n \"\\u0079\" \n", ok(send(name, "add?return=added", NDJSON, json)));
    Api.test(name, "x", "y").body("mightContainCount", equalTo(2));
  }

  @Test
  void linesStandForTheSameElementsAsJson() {
    var name = Api.newFilter();
    ok(send(name, "add?encoding=hex", TEXT, utf8("00ff10\r\n")));
    ok(send(name, "add?encoding=base64", NDJSON, utf8("\"AP8R\"\n")));
    ok(send(name, "add", TEXT, new byte[] {(byte) 0xFF, 1, '\n', '\n'}));
    ok(send(name, "add", TEXT, utf8("é")));
    Api.testEncoded(name, "hex", List.of("00ff10", "00ff11", "ff01", "", "c3a9"))
        .body("mightContainCount", equalTo(5));
  }

  @Test
  void anEmptyBodyIsAStreamWithoutElements() {
    var name = Api.newFilter();
    assertEquals(
        "{\"received\":0,\"addedCount\":0,\"knownCount\":0}\n",
        ok(send(name, "add", TEXT, new byte[0])));
    assertEquals("", ok(send(name, "add?return=added", TEXT, new byte[0])));
    assertEquals("", ok(sendChunked(name, "test?return=flags", TEXT, new byte[0])));
  }

  @Test
  void gzipIsDecompressedWhileItArrives() {
    var name = Api.newFilter("{\"expectedInsertions\": 100000}");
    var body = lines(0, 100_000, "zipped-%d\n");
    var added = JsonPath.from(ok(send(name, "add", TEXT + GZIP, zipped(body))));
    assertEquals(100_000, added.getInt("received"));
    assertEquals(
        new String(body, UTF_8),
        ok(sendChunked(name, "test?return=present", TEXT + GZIP, zipped(body))));
  }

  @Test
  void interleavedResultsArriveDuringTheUpload() throws Exception {
    var name = Api.newFilter();
    try (var stream = Conversation.open(name + "/add?return=flags&interleave=true")) {
      for (var i = 0; i < 100; i++) {
        stream.send("line-" + i / 2 + "\n");
        assertEquals(i % 2 == 0 ? "1\n" : "0\n", stream.receive());
      }
      stream.send("half of ");
      stream.send("a line\nand no end");
      assertEquals("1\n", stream.receive());
      stream.finish();
      assertEquals("1\n", stream.receiveAll());
    }
    Api.test(name, "half of a line", "and no end").body("mightContainCount", equalTo(2));
  }

  /** Proxies written in Go drop the rest of the body when they see a response. */
  @ParameterizedTest
  @ValueSource(strings = {"", "return=flags", "return=flags&interleave=false", "interleave=true"})
  void theResponseBeginsAfterTheLastLine(String query) throws Exception {
    var name = Api.newFilter("{\"bitSize\": 33554560, \"numHashFunctions\": 4}");
    var early = new String(lines(0, EARLY, "early-%d\n"), UTF_8);
    try (var stream = Conversation.open(name + "/add?" + query)) {
      stream.send(early + "half of ");
      Awaitility.await().until(() -> Api.fields(name).getInt("insertions") == EARLY);
      assertTrue(stream.isUnanswered());
      stream.send("a line");
      stream.finish();
      var answer = ok(stream.receiveWhole());
      assertEquals(
          query.startsWith("return")
              ? "1\n".repeat(EARLY + 1)
              : "{\"received\":%1$d,\"addedCount\":%1$d,\"knownCount\":0}\n".formatted(EARLY + 1),
          answer);
    }
    Api.test(name, "half of a line").body("mightContainCount", equalTo(1));
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain;charset=utf-8, 200",
    "text/plain; charset=\"UTF-8\", 200",
    "Text/Plain; charset=us-ascii, 200",
    "text/plain;charset=utf-16, 415",
    "text/plain; charset=iso-8859-1, 415",
    "text/html, 415",
    "application/ndjson, 415"
  })
  void textMayBeUtf8(String type, int status) {
    var answer = send(Api.newFilter(), "add", "Content-Type: " + type + "\r\n", utf8("a\n"));
    assertEquals(status, answer.status(), answer.text());
  }

  @Test
  void expect100ContinueIsAnswered() {
    var name = Api.newFilter();
    var answer = send(name, "add", TEXT + "Expect: 100-continue\r\n", utf8("a\nb\n"));
    assertEquals("{\"received\":2,\"addedCount\":2,\"knownCount\":0}\n", ok(answer));
    refused(
        404,
        "FILTER_NOT_FOUND",
        send(Api.newName(), "add", TEXT + "Expect: 100-continue\r\n", utf8("a\nb\n")));
  }
}
