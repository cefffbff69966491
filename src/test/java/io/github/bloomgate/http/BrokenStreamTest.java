package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static io.github.bloomgate.support.Bytes.joined;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams of lines over HTTP that are refused, truncated or aborted, or last longer than the
 * opening of a rebuild, on a real Redis.
 */
@QuarkusTest
class BrokenStreamTest extends LineStreams {

  private static final String LARGE = "{\"expectedInsertions\": 100000}";
  private static final int EARLY = 20_000;

  @Test
  void aGzipBombIsHarmless() {
    var name = Api.newFilter();
    var content = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(content)) {
      var piece = "a".repeat(1 << 20).getBytes(UTF_8);
      for (var i = 0; i < 512; i++) {
        gzip.write(piece);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    var problem =
        refused(422, "LIMIT_EXCEEDED", send(name, "add", TEXT + GZIP, content.toByteArray()));
    assertEquals(1, problem.path("line").asInt());
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

    assertEquals(bad, problem.path("line").asInt());
    assertEquals(bad - 1, problem.path("appliedCount").asInt());
    assertTrue(problem.path("detail").asText().contains("Line " + bad + " "), problem.toString());
    var all = lines(1, 40_000, "%08d\n");
    assertEquals(
        new String(lines(1, bad, "%08d\n"), UTF_8),
        ok(send(name, "test?encoding=hex&return=present", TEXT, all)));
  }

  /**
   * A scheme that only supports text detects the invalid element after the previous lines were
   * applied.
   */
  @Test
  void anElementWithoutBitsStopsTheStreamLikeABadLine() {
    var name =
        Api.newFilter("{\"hashScheme\": \"scrapy-redis-bloomfilter\", \"bitSize\": 1048576}");
    var body = new ByteArrayOutputStream();
    body.writeBytes(lines(0, 4_500, "text-%d\n"));
    body.write(0xff);
    body.writeBytes(utf8("\nend\n"));
    var problem = refused(400, "INVALID_REQUEST", send(name, "add", TEXT, body.toByteArray()));
    var applied = problem.path("appliedCount").asInt();
    assertTrue(applied >= 0 && applied <= 4_500, problem.toString());
    assertTrue(problem.path("line").asInt() > applied, problem.toString());
  }

  @Test
  void aStreamOfCountedAddsSaysThatTheseCountTwice() {
    var name =
        Api.newFilter("{\"expectedInsertions\": 2, \"whenFull\": \"reject\", \"counting\": true}");
    var problem = refused(409, "FILTER_FULL", send(name, "add", TEXT, utf8("a\nb\nc\n")));
    assertTrue(
        problem.path("detail").asText().endsWith("count twice if you send them again."),
        problem.toString());
  }

  @Test
  void aBadLineOfATestIsReportedWithoutAnAppliedCount() {
    var name = Api.newFilter();
    var problem = refused(400, "INVALID_REQUEST", send(name, "test", NDJSON, utf8("\"a\"\n7\n")));
    assertEquals(2, problem.path("line").asInt());
    assertFalse(problem.has("appliedCount"));
  }

  @Test
  void aBadLineAbortsAStartedResponse() throws Exception {
    var name = Api.newFilter();
    var target = name + "/add?encoding=hex&return=flags&interleave=true";
    try (var stream = Conversation.open(target)) {
      stream.send("61\n62\n");
      assertEquals("1\n1\n", stream.receive());
      stream.send("63\n");
      assertEquals("1\n", stream.receive());
      stream.send("no hex\n64\n");
      assertThrows(IOException.class, stream::receive);
    }
    Api.test(name, "a", "b", "c", "d")
        .body("mightContain", equalTo(List.of(true, true, true, false)));
  }

  /** Proxies do this, and many clients. The sockets buffer only a part of the answers. */
  @Test
  void aClientThatSendsAllBeforeItReadsGetsAllAnswers() throws Exception {
    var name = Api.newFilter();
    var part = "%063d\n".formatted(7).repeat(4096);
    var sent = 0L;
    try (var stream = Conversation.open(name + "/test?return=absent")) {
      for (; sent < 16 << 20; sent += part.length()) {
        stream.send(part);
      }
      stream.finish();
      assertEquals(sent, ok(stream.receiveWhole()).length());
    }
    Awaitility.await().untilAsserted(() -> assertEquals(0, KeptResultFiles.bytes()));
  }

  @Test
  void aClientThatWaitsForAnswersGetsThem() throws Exception {
    var name = Api.newFilter();
    var part = "%063d\n".formatted(7).repeat(1 << 10);
    try (var stream = Conversation.open(name + "/test?return=absent&interleave=true")) {
      for (var round = 0; round < 100; round++) {
        stream.send(part);
        for (var received = 0; received < part.length(); ) {
          received += stream.receive().length();
        }
      }
      stream.finish();
      assertEquals("", stream.receiveAll());
    }
  }

  /** Without a length, the end of the connection would be the end of the response. */
  @Test
  void anAnswerOverHttp10HasItsLength() {
    var name = Api.newFilter();
    var body = "a\n".repeat(100_000);
    var answer =
        RawHttp.send(
            utf8(
                "POST %s%s/test?return=flags HTTP/1.0\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s"
                    .formatted(Api.FILTERS, name, TEXT, body.length(), body)));
    assertEquals(200, answer.status());
    assertEquals("0\n".repeat(100_000), answer.text());
    assertEquals("200000", answer.headers().get("content-length"));
  }

  @Test
  void resultsAreNotInterleavedOverHttp10() {
    var request =
        "POST %s%s/test?return=flags&interleave=true HTTP/1.0\r\nHost: localhost\r\n%sContent-Length: 2\r\n\r\na\n"
            .formatted(Api.FILTERS, Api.newFilter(), TEXT);
    refused(400, "INVALID_REQUEST", RawHttp.send(utf8(request)));
  }

  /** The results of the lines before it are neither sent nor kept. */
  @Test
  void aBadLineAfterManyResultsIsReportedAsAProblem() {
    var name = Api.newFilter();
    var body = utf8("61\n".repeat(100_000) + "no hex\n");
    for (var answer :
        List.of(
            send(name, "add?encoding=hex&return=flags", TEXT, body),
            sendChunked(name, "add?encoding=hex&return=flags", TEXT, body))) {
      var problem = refused(400, "INVALID_REQUEST", answer);
      assertEquals(100_001, problem.path("line").asInt());
      assertEquals(100_000, problem.path("appliedCount").asInt());
    }
    Awaitility.await().untilAsserted(() -> assertEquals(0, KeptResultFiles.bytes()));
  }

  @Test
  void aClientThatSendsALengthGetsAllAnswersAtTheEnd() {
    var name = Api.newFilter();
    var body = "%063d\n".formatted(7).repeat(1 << 17);
    var answer = send(name, "test?return=absent", TEXT, utf8(body));
    assertEquals(body, ok(answer));
    assertEquals("" + body.length(), answer.headers().get("content-length"));
  }

  @Test
  void aTruncatedGzipIsReportedWithTheAppliedCount() {
    var name = Api.newFilter("{\"expectedInsertions\": 200000}");
    var body = lines(0, 200_000, "cut-%d\n");
    var whole = zipped(body);
    var cut = Arrays.copyOf(whole, whole.length / 2);
    var problem = refused(400, "INVALID_REQUEST", send(name, "add", TEXT + GZIP, cut));
    var applied = problem.path("appliedCount").asInt();
    assertTrue(applied > 1000 && applied < 199_000, problem.toString());
    assertEquals(applied + 1, problem.path("line").asInt());
    assertEquals(
        applied,
        JsonPath.from(ok(send(name, "test", TEXT, lines(0, applied, "cut-%d\n"))))
            .getInt("mightContainCount"));
    Api.test(name, "cut-199999").body("mightContainCount", equalTo(0));
  }

  @Test
  void aBrokenConnectionAddsOnlyWholeLines() throws Exception {
    var name = Api.newFilter();
    try (var stream = Conversation.open(name + "/add?return=flags&interleave=true")) {
      stream.send("whole\n");
      assertEquals("1\n", stream.receive());
      stream.send("next\npart");
      assertEquals("1\n", stream.receive());
    }
    Api.awaitNoStream();
    Api.test(name, "whole", "next", "part")
        .body("mightContain", equalTo(List.of(true, true, false)));
  }

  @Test
  void aFilterThatIsDeletedStopsItsStreams() throws Exception {
    var name = Api.newFilter();
    try (var shown = Conversation.open(name + "/add?return=flags&interleave=true");
        var summed = Conversation.open(name + "/add")) {
      shown.send("a\n");
      assertEquals("1\n", shown.receive());
      summed.send("b\nc\n");
      Awaitility.await().until(() -> Api.fields(name).getInt("insertions") == 3);
      Api.delete(name).statusCode(204);
      shown.send("d\n");
      assertThrows(IOException.class, shown::receive);
      summed.send("e\n");
      var answer = summed.receiveWhole();
      assertEquals(404, answer.status(), answer.text());
      assertTrue(answer.text().contains("\"appliedCount\":2,\"line\":3"), answer.text());
    }
  }

  @Test
  void aFullFilterReportsTheRefusedLine() {
    var name = Api.newFilter("{\"expectedInsertions\": 3, \"whenFull\": \"reject\"}");
    var problem =
        refused(409, "FILTER_FULL", send(name, "add", TEXT, utf8("a\nb\na\nc\nb\nd\ne\n")));
    assertEquals(6, problem.path("line").asInt());
    assertEquals(5, problem.path("appliedCount").asInt());
    assertFalse(problem.path("detail").asText().contains("of the"), problem.toString());
    Api.test(name, "a", "b", "c", "d", "e").body("mightContainCount", equalTo(3));
  }

  @ParameterizedTest
  @CsvSource({
    "add?return=present, '', 400",
    "test?return=added, '', 400",
    "add, Accept: text/csv, 406",
    "add, Accept: text/plain, 406",
    "test?return=flags, Accept: application/json, 406",
    "test?return=present, Accept: application/x-ndjson, 406"
  })
  void contradictoryRequestsAreRefusedBeforeAnyWork(String target, String header, int status) {
    var name = Api.newFilter();
    var headers = TEXT + (header.isEmpty() ? "" : header + "\r\n");
    var answer = send(name, target, headers, utf8("a\n"));
    assertEquals(status, answer.status(), answer.text());
    Api.test(name, "a").body("mightContainCount", equalTo(0));
  }

  /** Results that are sent at the end acknowledge all lines then. */
  @ParameterizedTest
  @CsvSource({"add, ''", "add, late", "add?return=flags, ''", "add?return=added, late"})
  void aStreamReportsLinesThatMayBeMissing(String target, String late) throws Exception {
    var name = Api.newFilter(LARGE);
    try (var stream = Conversation.open(name + "/" + target)) {
      sendEarly(stream, name);
      openRebuild(name);
      if (!late.isEmpty()) {
        stream.send(late);
      }
      stream.finish();
      assertRefusedSafely(stream.receiveWhole());
    }
    var all = joined(early(), utf8(late));
    ok(send(name, "add", TEXT, all));
    commitRebuild(name);
    assertNoneAbsent(name, all);
  }

  @Test
  void aCommitDuringAStreamIsReportedToo() throws Exception {
    var name = Api.newFilter(LARGE);
    try (var stream = Conversation.open(name + "/add")) {
      sendEarly(stream, name);
      openRebuild(name);
      commitRebuild(name);
      stream.send("late\n");
      stream.finish();
      assertRefusedSafely(stream.receiveWhole());
    }
    ok(send(name, "add", TEXT, early()));
    assertNoneAbsent(name, early());
  }

  @Test
  void aFailedStreamReportsTheOpenedRebuildFirst() throws Exception {
    var name = Api.newFilter(LARGE);
    try (var stream = Conversation.open(name + "/add")) {
      sendEarly(stream, name);
      openRebuild(name);
      stream.send("late\n" + "x".repeat(70_000) + "\n");
      stream.finish();
      assertRefusedSafely(stream.receiveWhole());
    }
    ok(send(name, "add", TEXT, early()));
    commitRebuild(name);
    assertNoneAbsent(name, early());
  }

  private static void assertRefusedSafely(RawResponse answer) {
    var problem = refused(409, "FILTER_CHANGED", answer);
    assertTrue(problem.path("detail").asText().contains("Lines 1 to "), answer.text());
  }

  private static void sendEarly(Conversation stream, String name) throws Exception {
    stream.send(new String(early(), UTF_8));
    Awaitility.await().until(() -> Api.fields(name).getInt("insertions") > 0.99 * EARLY);
  }

  private static byte[] early() {
    return lines(0, EARLY, "the early one of number %d\n");
  }

  private static void openRebuild(String name) {
    Api.post(name, "rebuild", Map.of()).statusCode(201).body("state", equalTo("open"));
  }

  private static void commitRebuild(String name) {
    Api.post(name, "rebuild/commit", Map.of("allowEmpty", true)).statusCode(200);
  }

  private static void assertNoneAbsent(String name, byte[] lines) {
    assertEquals("", ok(send(name, "test?return=absent", TEXT, lines)));
  }
}
