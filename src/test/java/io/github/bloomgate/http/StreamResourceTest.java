package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Beside;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of lines over HTTP, on a real Redis. */
@QuarkusTest
class StreamResourceTest {

  private static final String TEXT = "Content-Type: text/plain\r\n";
  private static final String NDJSON = "Content-Type: application/x-ndjson\r\n";
  private static final String GZIP = "Content-Encoding: gzip\r\n";
  private static final int MILLION = 1_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void aMillionLinesBeyondTheLimitOfJsonAreAddedAndFoundAgain() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000000}");
    var body = lines(0, MILLION, "the-element-of-line-%d\n");
    assertTrue(body.length > 16 * 1024 * 1024);

    var added = JsonPath.from(ok(send(name, "add", TEXT, body)));
    assertEquals(MILLION, added.getInt("received"));
    // Some are taken for known by the false-positive rate of 1 % at the end.
    assertTrue(added.getInt("addedCount") > 0.99 * MILLION, added.prettify());
    assertTrue(added.getInt("addedCount") < MILLION, added.prettify());

    var tested = JsonPath.from(ok(sendChunked(name, "test", TEXT, body)));
    assertEquals(MILLION, tested.getInt("received"));
    assertEquals(MILLION, tested.getInt("mightContainCount"));
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
          "{\"received\":2,\"addedCount\":1}\n", ok(send(name, "add", TEXT, utf8("e\nf"))));
    }
  }

  @Test
  void answersAreInTheMediaTypeOfWhatTheyHold() {
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
    ok(send(name, "add", TEXT, new byte[] {(byte) 0xFF, 0, '\n', '\n'}));
    ok(send(name, "add", TEXT, utf8("é")));
    Api.testEncoded(name, "hex", List.of("00ff10", "00ff11", "ff00", "", "c3a9"))
        .body("mightContainCount", equalTo(5));
  }

  @Test
  void nothingIsAStreamOfNoElements() {
    var name = Api.newFilter();
    assertEquals("{\"received\":0,\"addedCount\":0}\n", ok(send(name, "add", TEXT, new byte[0])));
    assertEquals("", ok(send(name, "add?return=added", TEXT, new byte[0])));
    assertEquals("", ok(sendChunked(name, "test?return=flags", TEXT, new byte[0])));
    refused(404, "FILTER_NOT_FOUND", send(Api.newName(), "add", TEXT, new byte[0]));
  }

  @Test
  void gzipIsUnzippedOnTheWay() {
    var name = Api.newFilter("{\"expectedInsertions\": 100000}");
    var body = lines(0, 100_000, "zipped-%d\n");
    var added = JsonPath.from(ok(send(name, "add", TEXT + GZIP, zipped(body))));
    assertEquals(100_000, added.getInt("received"));
    assertEquals(
        new String(body, UTF_8),
        ok(sendChunked(name, "test?return=present", TEXT + GZIP, zipped(body))));
  }

  @Test
  void aBombOfGzipIsHarmless() {
    var name = Api.newFilter();
    var content = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(content)) {
      var zeros = new byte[1 << 20];
      for (var i = 0; i < 512; i++) {
        gzip.write(zeros);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    var problem =
        refused(422, "LIMIT_EXCEEDED", send(name, "add", TEXT + GZIP, content.toByteArray()));
    assertEquals(1, problem.getInt("line"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 777, 4096, 4097, 30_000})
  void aBadLineStopsTheStreamAndEverythingBeforeItIsApplied(int bad) {
    var name = Api.newFilter("{\"bitSize\": 33554560, \"numHashFunctions\": 4}");
    var body = new ByteArrayOutputStream();
    body.writeBytes(lines(1, bad, "%08d\n"));
    body.writeBytes(utf8("no hex\n"));
    body.writeBytes(lines(bad + 1, 40_000, "%08d\n"));

    var problem =
        refused(400, "INVALID_REQUEST", send(name, "add?encoding=hex", TEXT, body.toByteArray()));

    assertEquals(bad, problem.getInt("line"));
    assertEquals(bad - 1, problem.getInt("appliedCount"));
    assertTrue(problem.getString("detail").contains("Line " + bad + " "), problem.prettify());
    var all = lines(1, 40_000, "%08d\n");
    assertEquals(
        new String(lines(1, bad, "%08d\n"), UTF_8),
        ok(send(name, "test?encoding=hex&return=present", TEXT, all)));
  }

  /** A scheme that is defined for text finds out when the lines before are applied already. */
  @Test
  void anElementWithoutBitsStopsTheStreamLikeABadLine() {
    var name =
        Api.newFilter("{\"hashScheme\": \"scrapy-redis-bloomfilter\", \"bitSize\": 1048576}");
    var body = new ByteArrayOutputStream();
    body.writeBytes(lines(0, 4_500, "text-%d\n"));
    body.write(0xff);
    body.writeBytes(utf8("\nend\n"));
    var problem = refused(400, "INVALID_REQUEST", send(name, "add", TEXT, body.toByteArray()));
    var applied = problem.getInt("appliedCount");
    assertTrue(applied >= 0 && applied <= 4_500, problem.prettify());
    assertTrue(problem.getInt("line") > applied, problem.prettify());
  }

  @Test
  void aBadLineOfATestIsToldWithoutACountApplied() {
    var name = Api.newFilter();
    var problem = refused(400, "INVALID_REQUEST", send(name, "test", NDJSON, utf8("\"a\"\n7\n")));
    assertEquals(2, problem.getInt("line"));
    assertFalse(problem.getMap("").containsKey("appliedCount"));
  }

  @Test
  void anAnswerThatHasBegunIsBrokenOffAtABadLine() throws Exception {
    var name = Api.newFilter();
    try (var stream = Conversation.open(name + "/add?encoding=hex&return=flags")) {
      stream.send("61\n62\n");
      assertEquals("1\n1\n", stream.receive());
      stream.send("63\nno hex\n64\n");
      var rest = new StringBuilder();
      assertThrows(
          IOException.class,
          () -> {
            for (var chunk = stream.receive(); !chunk.isEmpty(); chunk = stream.receive()) {
              rest.append(chunk);
            }
          });
      assertTrue("1\n".contentEquals(rest) || rest.isEmpty(), rest.toString());
    }
    Api.test(name, "a", "b", "c", "d")
        .body("mightContain", equalTo(List.of(true, true, true, false)));
  }

  @Test
  void aGzipThatIsCutShortIsToldWithWhatWasApplied() {
    var name = Api.newFilter("{\"expectedInsertions\": 200000}");
    var body = lines(0, 200_000, "cut-%d\n");
    var whole = zipped(body);
    var cut = Arrays.copyOf(whole, whole.length / 2);
    var problem = refused(400, "INVALID_REQUEST", send(name, "add", TEXT + GZIP, cut));
    var applied = problem.getInt("appliedCount");
    assertTrue(applied > 1000 && applied < 199_000, problem.prettify());
    assertEquals(applied + 1, problem.getInt("line"));
    assertEquals(
        applied,
        JsonPath.from(ok(send(name, "test", TEXT, lines(0, applied, "cut-%d\n"))))
            .getInt("mightContainCount"));
    Api.test(name, "cut-199999").body("mightContainCount", equalTo(0));
  }

  @Test
  void answersComeWhileTheUploadGoesOn() throws Exception {
    var name = Api.newFilter();
    try (var stream = Conversation.open(name + "/add?return=flags")) {
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

  @Test
  void aConnectionThatIsCutAddsWholeLinesOnly() throws Exception {
    var name = Api.newFilter();
    try (var stream = Conversation.open(name + "/add?return=flags")) {
      stream.send("whole\n");
      assertEquals("1\n", stream.receive());
      stream.send("next\npart");
      assertEquals("1\n", stream.receive());
    }
    awaitNoStream();
    Api.test(name, "whole", "next", "part")
        .body("mightContain", equalTo(List.of(true, true, false)));
  }

  @Test
  void whoReadsNoAnswerIsNotReadFrom() throws Exception {
    var name = Api.newFilter();
    var enough = 200L << 20;
    var sent = new AtomicLong();
    var piece = "\n".repeat(1 << 20);
    try (var stream = Conversation.open(name + "/test?return=flags")) {
      var sender =
          Beside.run(
              () -> {
                try {
                  while (sent.get() < enough) {
                    stream.send(piece);
                    sent.addAndGet(piece.length());
                  }
                } catch (IOException closed) {
                  throw new UncheckedIOException(closed);
                }
              });
      var last = new AtomicLong(-1);
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> sender.isDone() || last.getAndSet(sent.get()) == sent.get());
      // What the sockets hold; all else waits at the sender.
      assertTrue(sent.get() < 64 << 20, "sent " + sent.get());
      assertFalse(sender.isDone());
    }
    awaitNoStream();
  }

  @Test
  void aFilterThatIsDeletedStopsItsStreams() throws Exception {
    var name = Api.newFilter();
    try (var shown = Conversation.open(name + "/add?return=flags");
        var summed = Conversation.open(name + "/add")) {
      shown.send("a\n");
      assertEquals("1\n", shown.receive());
      summed.send("b\nc\n");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> Api.describe(name).jsonPath().getInt("insertions") == 3);
      given().delete(Api.FILTERS + name).then().statusCode(204);
      shown.send("d\n");
      assertThrows(IOException.class, shown::receive);
      summed.send("e\n");
      var answer = summed.receiveWhole();
      assertTrue(answer.startsWith("HTTP/1.1 404"), answer);
      assertTrue(answer.contains("\"appliedCount\":2,\"line\":3"), answer);
    }
  }

  @Test
  void aFullFilterTellsTheLineItRefused() {
    var name = Api.newFilter("{\"expectedInsertions\": 3, \"whenFull\": \"reject\"}");
    var problem =
        refused(409, "FILTER_FULL", send(name, "add", TEXT, utf8("a\nb\na\nc\nb\nd\ne\n")));
    assertEquals(6, problem.getInt("line"));
    assertEquals(5, problem.getInt("appliedCount"));
    assertFalse(problem.getString("detail").contains("of the"), problem.prettify());
    Api.test(name, "a", "b", "c", "d", "e").body("mightContainCount", equalTo(3));
  }

  @ParameterizedTest
  @CsvSource({
    "add?return=present, '', 400",
    "test?return=added, '', 400",
    "add?return=, '', 400",
    "add?return=flags&return=flags, '', 400",
    "add?returns=flags, '', 400",
    "add?encoding=utf8, '', 400",
    "add?element=a, '', 400",
    "add, Content-Encoding: br, 415",
    "add, 'Content-Encoding: gzip, gzip', 415",
    "add, Accept: text/csv, 406",
    "add, Accept: text/plain, 406",
    "test?return=flags, Accept: application/json, 406",
    "test?return=present, Accept: application/x-ndjson, 406"
  })
  void whatCannotBeMeantIsRefusedBeforeAnythingIsDone(String target, String header, int status) {
    var name = Api.newFilter();
    var headers = TEXT + (header.isEmpty() ? "" : header + "\r\n");
    var answer = send(name, target, headers, utf8("a\n"));
    assertEquals(status, answer.status(), answer.body());
    Api.test(name, "a").body("mightContainCount", equalTo(0));
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
  void textIsTakenInUtf8(String type, int status) {
    var answer = send(Api.newFilter(), "add", "Content-Type: " + type + "\r\n", utf8("a\n"));
    assertEquals(status, answer.status(), answer.body());
  }

  @Test
  void whoAwaitsToContinueIsToldTo() {
    var name = Api.newFilter();
    var answer = send(name, "add", TEXT + "Expect: 100-continue\r\n", utf8("a\nb\n"));
    assertEquals("{\"received\":2,\"addedCount\":2}\n", ok(answer));
    refused(
        404,
        "FILTER_NOT_FOUND",
        send(Api.newName(), "add", TEXT + "Expect: 100-continue\r\n", utf8("a\nb\n")));
  }

  private static RawHttp.Answer send(String name, String target, String headers, byte[] body) {
    return RawHttp.send(RestAssured.port, "POST", Api.FILTERS + name + "/" + target, headers, body);
  }

  private static RawHttp.Answer sendChunked(
      String name, String target, String headers, byte[] body) {
    return RawHttp.sendChunked(
        RestAssured.port, "POST", Api.FILTERS + name + "/" + target, headers, body);
  }

  private static String ok(RawHttp.Answer answer) {
    assertEquals(200, answer.status(), answer.body());
    return answer.body();
  }

  private static JsonPath refused(int status, String code, RawHttp.Answer answer) {
    assertEquals(status, answer.status(), answer.body());
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    var problem = JsonPath.from(answer.body());
    assertEquals(code, problem.getString("code"));
    return problem;
  }

  private static void awaitNoStream() {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> given().get("/q/metrics").asString().contains("bloom_streams_running 0.0"));
  }

  /** Lines of the numbers from one, included, to another, excluded. */
  private static byte[] lines(int from, int to, String format) {
    return utf8(
        IntStream.range(from, to).mapToObj(format::formatted).collect(Collectors.joining()));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] zipped(byte[] content) {
    var zipped = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(zipped)) {
      gzip.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return zipped.toByteArray();
  }
}
