package io.github.bloomgate.docs;

import static io.github.bloomgate.support.GoldenStream.mark;
import static io.github.bloomgate.support.GoldenStream.resume;
import static java.util.Map.entry;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.containsStringIgnoringCase;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.redis.ReservedPort;
import io.github.bloomgate.support.EagerWaits;
import io.github.bloomgate.support.FollowServer;
import io.github.bloomgate.support.FollowStream;
import io.github.bloomgate.support.FollowedFilter;
import io.github.bloomgate.support.GoldenStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The programs in {@code examples/edge} follow streams as {@code docs/follow.md} defines them.
 * Skips languages that are not installed.
 *
 * <p>A reader that connects again has read everything of the connection before, so that is how a
 * test knows that frames without an AT have arrived.
 */
@Tag("slow")
@ExtendWith(EagerWaits.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EdgeExamplesTest {

  private static final String PATH = "/v1/filters/golden/follow";

  private static Map<String, List<String>> programs;

  private FollowServer server;
  private final List<EdgeReader> readers = new ArrayList<>();

  @BeforeAll
  static void compile(@TempDir Path folder) throws Exception {
    programs = EdgeReader.programs(folder);
  }

  @BeforeEach
  void start() throws Exception {
    server = new FollowServer(0);
  }

  @AfterEach
  void stop() {
    readers.forEach(EdgeReader::close);
    server.close();
  }

  private EdgeReader reader(String language, String url, String maxAge) throws Exception {
    assumeTrue(programs.containsKey(language), language + " is not installed");
    var reader = new EdgeReader(programs.get(language), url, maxAge);
    readers.add(reader);
    return reader;
  }

  private EdgeReader reader(String language) throws Exception {
    return reader(language, server.url(), "600");
  }

  private static void assertAnswers(EdgeReader reader, List<String> present, List<String> absent) {
    for (var element : present) {
      assertStarts("maybe ", reader.ask(element), element);
    }
    for (var element : absent) {
      assertStarts("no ", reader.ask(element), element);
    }
  }

  private static void assertStarts(String start, String answer, String element) {
    assertTrue(answer.startsWith(start), element + " is not " + start + "but " + answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void aGoldenStreamIsFollowed(String language) throws Exception {
    for (var golden : GoldenStream.values()) {
      var reader = reader(language);
      var request = server.next();
      assertEquals("GET " + PATH, request.line());
      assertEquals("Bearer a-key", request.header("Authorization"));
      assertStarts("too-old ", reader.ask("ann"), golden.name());

      request.begin(new byte[0]).sendInChunks(golden.bytes(), golden.bytes().length / 7 + 1);

      for (var element : golden.present()) {
        reader.await(element, startsWith("maybe "));
      }
      reader.await(golden.absent().get(0), startsWith("no "));
      assertAnswers(reader, golden.present(), golden.absent());
      // In the silence that follows, it would ask again.
      reader.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void oldContentAnswersUntilTheNewOneIsComplete(String language) throws Exception {
    var old = FollowedFilter.fixed("00000000000000aa", 2, FollowedFilter.SMALL).add(0, "ann");
    var rebuilt = FollowedFilter.fixed("00000000000000bb", 2, FollowedFilter.SMALL).add(0, "cid");
    var reader = reader(language);
    var first = server.next().begin(whole(old, 2).at(0, 0, resume(1)));
    reader.await("ann", startsWith("maybe "));

    first.send(whole(rebuilt, 2)).disconnect();
    var second = server.next();
    assertContinues(second, "00000000000000aa", resume(1), Map.of("0", mark(0), "1", mark(1)));
    assertAnswers(reader, List.of("ann"), List.of("cid"));

    second.begin(whole(rebuilt, 2));
    second.send(new FollowStream().at(0, 0, resume(2)));
    reader.await("cid", startsWith("maybe "));
    assertAnswers(reader, List.of("cid"), List.of("ann"));
    second.end();
    assertContinues(
        server.next(), "00000000000000bb", resume(2), Map.of("0", mark(0), "1", mark(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void changesCountTogetherWhenTheyAreComplete(String language) throws Exception {
    var window = FollowedFilter.window("00000000000000cc").add(0, "ann");
    var reader = reader(language);
    var first = server.next();
    first.begin(new FollowStream().plan(window.plan()).fill(window, 0, 0, mark(1), 4096));
    first.send(new FollowStream().at(0, 0, resume(1)));
    reader.await("ann", startsWith("maybe "));

    // Ann has moved to another ring, but the frame that says so is lost.
    first.send(new FollowStream().empty(window, 0, 0, mark(2))).disconnect();
    var second = server.next();
    assertContinues(second, "00000000000000cc", resume(1), Map.of("0", mark(1)));
    assertAnswers(reader, List.of("ann"), List.of("ben"));

    window.add(5, "ann", "ben");
    second.begin(
        new FollowStream()
            .plan(window.plan())
            .empty(window, 0, 0, mark(2))
            .patch(window, 0, 5, mark(3))
            .at(0, 0, resume(2)));
    reader.await("ben", startsWith("maybe "));
    assertAnswers(reader, List.of("ann", "ben"), List.of("cid"));

    second.send(new FollowStream().empty(window, 0, 5, mark(4)).at(0, 0, resume(3)));
    reader.await("ben", startsWith("no "));
    second.disconnect();
    var third = server.next();
    assertContinues(third, "00000000000000cc", resume(3), Map.of("0", mark(4)));

    third.begin(new FollowStream().plan(window.plan()).patch(window, 0, 5, mark(5))).disconnect();
    assertContinues(server.next(), "00000000000000cc", resume(3), Map.of("0", mark(4)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void aCopyThatIsTooOldDoesNotAnswer(String language) throws Exception {
    var filter = FollowedFilter.fixed("00000000000000dd", 1, FollowedFilter.SMALL).add(0, "ann");
    var reader = reader(language, server.url(), "2");
    var first = server.next().begin(whole(filter, 1));
    assertTrue(reader.ask("ann").contains("not complete yet"), "an answer before the first AT");

    // The AT is sent at once, but arrives late.
    Awaitility.await().until(first::millisSince, millis -> millis > 2000);
    first.send(new FollowStream().at(0, 0, resume(1)));
    assertStarts("too-old ", reader.await("ann", not(containsString("not complete yet"))), "late");
    assertNull(server.poll(), "an AT that is late once does not end the stream");

    first.send(new FollowStream().at(1990, first.millisSince(), resume(2)));
    first.send(new FollowStream().at(0, first.millisSince(), resume(3)));
    reader.await("ann", startsWith("maybe "));
    assertStarts("too-old ", reader.await("ben", startsWith("too-old ")), "no more AT");

    first.send(new FollowStream().at(0, first.millisSince(), resume(4)));
    reader.await("ben", startsWith("no "));
    first.send(new FollowStream().at(9000, first.millisSince(), resume(5)));
    reader.await("ben", startsWith("too-old "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void aReaderLeavesAStreamThatBeganLate(String language) throws Exception {
    var filter = FollowedFilter.fixed("00000000000000de", 1, FollowedFilter.SMALL).add(0, "ann");
    var reader = reader(language, server.url(), "2");
    var first = server.next().begin(whole(filter, 1));
    Awaitility.await().until(first::millisSince, millis -> millis > 1000);
    first.send(new FollowStream().at(0, 0, resume(1)));
    reader.await("ann", not(containsString("not complete yet")));

    // Frames keep coming, so that silence is no reason to leave.
    var second =
        Awaitility.await()
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(
                () -> {
                  var next = server.poll();
                  if (next == null) {
                    first.send(new FollowStream().at(0, 0, resume(2)));
                  }
                  return next;
                },
                Objects::nonNull);
    assertContinues(second, "00000000000000de", resume(2), Map.of("0", mark(0)));

    second.begin(new FollowStream().plan(filter.plan()).at(0, 0, resume(3)));
    reader.await("ann", startsWith("maybe "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void aReaderComesBackAfterTheEndAndErrors(String language) throws Exception {
    var filter = FollowedFilter.fixed("00000000000000ee", 1, FollowedFilter.SMALL).add(0, "ann");
    var reader = reader(language);
    server.next().refuse(404, "FILTER_NOT_FOUND");
    server.next().refuse(429, "RATE_LIMITED");
    server.next().refuse(503, "OVERLOADED");
    var first = server.next();
    assertEquals("GET " + PATH, first.line());
    assertTrue(reader.ask("ann").contains("503 OVERLOADED: Not now."));

    first.begin(whole(filter, 1).at(0, 0, resume(1)).end(0)).end();
    var second = server.next();
    assertContinues(second, "00000000000000ee", resume(1), Map.of("0", mark(0)));
    assertAnswers(reader, List.of("ann"), List.of("ben"));
    second.refuse(404, "FILTER_NOT_FOUND");
    server.next().refuse(503, "OVERLOADED");
    var again = server.next();
    assertContinues(again, "00000000000000ee", resume(1), Map.of("0", mark(0)));
    again.refuse(429, "RATE_LIMITED");
    assertAnswers(reader, List.of("ann"), List.of("ben"));

    filter.add(0, "ben");
    server
        .next()
        .begin(
            new FollowStream()
                .plan(filter.plan())
                .patch(filter, 0, 0, mark(2))
                .at(0, 0, resume(2))
                .end());
    var third = server.next();
    assertContinues(third, "00000000000000ee", resume(2), Map.of("0", mark(2)));
    assertAnswers(reader, List.of("ann", "ben"), List.of("cid"));

    // Another instance that knows nothing of it, and a filter of the same name.
    var other = FollowedFilter.fixed("00000000000000ff", 1, FollowedFilter.SMALL).add(0, "cid");
    third.begin(whole(other, 1).at(0, 0, resume(3)));
    reader.await("cid", startsWith("maybe "));
    assertAnswers(reader, List.of("cid"), List.of("ann", "ben"));
    third.send(new FollowStream().at(700_000, 0, resume(4)));
    reader.await("cid", startsWith("too-old "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void whatAReaderCannotContinueItBeginsAnew(String language) throws Exception {
    var filter = FollowedFilter.fixed("00000000000000aa", 1, FollowedFilter.SMALL).add(0, "ann");
    var reader = reader(language);
    server.next().begin(whole(filter, 1).at(0, 0, resume(1)).end(0));
    for (var status : List.of(400, 409, 422)) {
      var post = server.next();
      assertEquals("POST " + PATH, post.line());
      post.refuse(status, "INVALID_REQUEST");
      var get = server.next();
      assertEquals("GET " + PATH, get.line());
      // An error of another kind does not make it continue.
      get.refuse(503, "OVERLOADED");
      var again = server.next();
      assertEquals("GET " + PATH, again.line());
      again.begin(whole(filter, 1).at(0, 0, resume(1)).end());
    }
    server.next().refuse(413, "TOO_LARGE");
    var request = server.next();
    assertEquals("GET " + PATH, request.line());

    // The same incarnation, whose planes a GET fills from zeros.
    filter.empty(0, 0);
    filter.add(0, "ben");
    request.begin(whole(filter, 1));
    request.send(new FollowStream().at(0, 0, resume(2)));
    reader.await("ben", startsWith("maybe "));
    assertAnswers(reader, List.of("ben"), List.of("ann"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void aMalformedStreamChangesNothing(String language) throws Exception {
    var filter = FollowedFilter.fixed("00000000000000ab", 1, FollowedFilter.SMALL).add(0, "ann");
    var plan = filter.plan();
    var reader = reader(language);
    server.next().begin(whole(filter, 1).at(0, 0, resume(1)).end(0));
    for (var malformed : malformed(plan).entrySet()) {
      var request = server.next();
      assertTrue(request.line().startsWith("POST "), malformed.getKey());
      var good = FollowedFilter.fixed("00000000000000ab", 1, FollowedFilter.SMALL);
      request.begin(new FollowStream().plan(plan).fill(good, 0, 0, mark(9), 4096));
      request.send(malformed.getValue());
      var next = server.next();
      assertEquals("GET " + PATH, next.line(), malformed.getKey());
      assertAnswers(reader, List.of("ann"), List.of("ben"));
      next.begin(whole(filter, 1).at(0, 0, resume(1)).end(0));
    }
  }

  private static Map<String, FollowStream> malformed(String plan) {
    var frames = new LinkedHashMap<String, FollowStream>();
    // Without the payload: a reader closes the connection as soon as it has the length.
    frames.put("long", new FollowStream().header(99, 65_537));
    frames.put("no JSON", new FollowStream().frame(FollowStream.PLAN, new byte[] {1, 2}));
    frames.put("no plan", new FollowStream().plan("{\"incarnation\":\"00000000000000ab\"}"));
    frames.put("null", new FollowStream().plan("null"));
    frames.put("deep", new FollowStream().plan("[".repeat(60_000)));
    frames.put("end", new FollowStream().frame(FollowStream.END, new byte[] {'{', '}'}));
    Map.ofEntries(
            entry("\"planes\":1", "\"planes\":129"),
            entry("\"segments\":1", "\"segments\":1000000000"),
            entry("\"segmentBits\":960", "\"segmentBits\":4294967296"),
            entry("\"numHashFunctions\":7", "\"numHashFunctions\":0"),
            entry("\"firstSegment\":0", "\"firstSegment\":1"),
            entry("\"counting\":false", "\"counting\":true"),
            entry("\"layers\":[", "\"layers\":[null,"))
        .forEach((from, to) -> frames.put(to, new FollowStream().plan(plan.replace(from, to))));
    frames.put(
        "fewer layers", new FollowStream().plan(plan.replaceAll("\"layers.*]", "\"layers\":[]")));
    frames.put("short fill", content(FollowStream.FILL, 0, 0, new byte[3]));
    frames.put("fill behind the end", content(FollowStream.FILL, 0, 0, new byte[4 + 121]));
    frames.put("another segment", content(FollowStream.PATCH, 1, 0, new byte[4]));
    frames.put("a huge segment", content(FollowStream.PATCH, -1, 0, new byte[4]));
    frames.put("another plane", content(FollowStream.PATCH, 0, 1, new byte[4]));
    frames.put(
        "patch behind the end", content(FollowStream.PATCH, 0, 0, new byte[] {0, 0, 120, 1}));
    frames.put("part of an entry", content(FollowStream.PATCH, 0, 0, new byte[5]));
    frames.put("empty with content", content(FollowStream.EMPTY, 0, 0, new byte[1]));
    frames.put("no mark", new FollowStream().frame(FollowStream.EMPTY, new byte[6]));
    frames.put("short AT", new FollowStream().frame(FollowStream.AT, new byte[35]));
    return frames;
  }

  private static FollowStream content(int type, int segment, int plane, byte[] rest) {
    var payload = new byte[14 + rest.length];
    ByteBuffer.wrap(payload).putInt(segment).putShort((short) plane).putLong(1).put(rest);
    return new FollowStream().frame(type, payload);
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void contentBeforeThePlanIsMalformed(String language) throws Exception {
    var reader = reader(language);
    server.next().begin(content(FollowStream.PATCH, 0, 0, new byte[4]));
    server.next().begin(new FollowStream().at(0, 0, resume(1)));
    server.next();
    assertTrue(reader.ask("ann").contains("a frame before the first plan"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void aFilterThatCannotBeFollowedIsRefusedClearly(String language) throws Exception {
    var reader = reader(language);
    var plan = FollowedFilter.fixed("00000000000000ac", 1, FollowedFilter.SMALL).plan();
    server.next().begin(new FollowStream().plan(plan.replace("bloomgate-1", "go-zero")));
    var second = server.next();
    assertTrue(reader.ask("ann").contains("go-zero: this reader knows bloomgate-1 and"));
    var keyed = FollowedFilter.keyed("00000000000000ad").plan();
    second.begin(new FollowStream().plan(keyed.replace("e3fba182209e4c11", "0000000000000001")));
    var third = server.next();
    assertTrue(reader.ask("ann").contains("needs the secret 0000000000000001, not e3fba182209"));
    third.refuse(403, "FORBIDDEN");
    server.next();
    assertTrue(reader.ask("ann").contains("403 FORBIDDEN: Not now."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "python3", "node", "go"})
  void aReaderWaitsForTheService(String language) throws Exception {
    try (var port = ReservedPort.any()) {
      var reader = reader(language, "http://127.0.0.1:" + port.number(), "600");
      reader.await("ann", containsStringIgnoringCase("refused"));
      try (var late = new FollowServer(port.number())) {
        var filter = FollowedFilter.fixed("00000000000000ae", 1, FollowedFilter.SMALL);
        late.next().begin(whole(filter.add(0, "ann"), 1).at(0, 0, resume(1)));
        reader.await("ann", startsWith("maybe "));
      }
    }
  }

  /** All readers at once, because each waits ten seconds. */
  @Test
  void aSilentConnectionIsDead() throws Exception {
    var filter = FollowedFilter.fixed("00000000000000af", 1, FollowedFilter.SMALL).add(0, "ann");
    for (var language : programs.keySet()) {
      reader(language);
      server.next().begin(whole(filter, 1).at(0, 0, resume(1)));
    }
    for (var reader : readers) {
      reader.await("ann", startsWith("maybe "));
      assertContinues(server.next(), "00000000000000af", resume(1), Map.of("0", mark(0)));
    }
  }

  private static FollowStream whole(FollowedFilter filter, int segments) {
    var stream = new FollowStream().plan(filter.plan());
    for (var segment = 0; segment < segments; segment++) {
      stream.fill(filter, segment, 0, mark(segment), 100);
    }
    return stream;
  }

  private static void assertContinues(
      FollowServer.Request request, String incarnation, String resume, Map<String, Long> marks)
      throws Exception {
    assertEquals("POST " + PATH, request.line());
    assertEquals("application/json", request.header("Content-Type"));
    assertNull(request.header("Content-Encoding"));
    var inHex = new LinkedHashMap<String, String>();
    marks.forEach((segment, mark) -> inHex.put(segment, "%016x".formatted(mark)));
    var json = new ObjectMapper();
    assertEquals(
        json.valueToTree(Map.of("incarnation", incarnation, "resume", resume, "marks", inHex)),
        json.readTree(request.body()));
  }
}
