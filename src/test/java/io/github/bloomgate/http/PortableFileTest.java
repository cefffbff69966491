package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.anyOf;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FileContent;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.RawRedis;
import io.github.bloomgate.support.RequestsUnderWay;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports and imports over HTTP. */
@QuarkusTest
class PortableFileTest {

  /** More than any socket buffers. */
  private static final String LARGE = "{\"bitSize\": 402653184, \"numHashFunctions\": 3}";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Inject MeterRegistry metrics;
  @Inject RawRedis redis;
  @Inject RequestsUnderWay requests;

  @TestHTTPResource URI service;

  @Test
  void theFileOfAFilter() {
    var name = Api.newFilter();
    Api.add(name, "alice", "bob").statusCode(200);
    var response = given().get(Api.FILTERS + name + "/export");
    assertEquals(200, response.statusCode());
    assertEquals("application/octet-stream", response.contentType());
    assertEquals(
        "attachment; filename=\"" + name + ".bloom\"", response.header("Content-Disposition"));
    var bytes = response.asByteArray();
    assertEquals(Integer.toString(bytes.length), response.header("Content-Length"));

    var file = FileContent.read(bytes);
    assertEquals(name, file.header().name().value());
    assertTrue(file.mightContain("alice".getBytes(StandardCharsets.UTF_8)));
    assertTrue(file.mightContain("bob".getBytes(StandardCharsets.UTF_8)));
    assertEquals(2, file.insertions().get(0));
  }

  /**
   * Generated clients send this header, because it is the only JSON type that the contract has for
   * exports.
   */
  @Test
  void acceptingOnlyProblemJsonAcceptsTheFile() {
    var name = Api.newFilter();
    var request = given().header("Accept", "application/problem+json");
    request.get(Api.FILTERS + name + "/export").then().statusCode(200);
  }

  @Test
  void aFilterOfSeveralSegments() {
    var name = Api.newFilterOfTwoSegments();
    Api.add(name, "alice", "bob", "carol", "dave").statusCode(200);
    var file = FileContent.read(given().get(Api.FILTERS + name + "/export").asByteArray());
    assertEquals(2, file.insertions().size());
    for (var element : new String[] {"alice", "bob", "carol", "dave"}) {
      assertTrue(file.mightContain(element.getBytes(StandardCharsets.UTF_8)));
    }
  }

  @Test
  void errorsBeforeTheFirstByteAreProblems() {
    Api.refused(400, "INVALID_REQUEST", Api.export("-", ""));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 1_000_000})
  void aHeadRequestHasTheHeadersButNoBody(int expectedInsertions) {
    var name = Api.newFilter("{\"expectedInsertions\": %d}".formatted(expectedInsertions));
    var export = Api.FILTERS + name + "/export";
    var head = given().head(export);
    assertEquals(200, head.statusCode());
    assertEquals(0, head.asByteArray().length);
    var file = given().get(export);
    for (var header : List.of("Content-Length", "Content-Type", "Content-Disposition")) {
      assertEquals(file.header(header), head.header(header));
    }
  }

  /** The client can detect the truncation: the file is shorter than its declared length. */
  @Test
  void clearingTheFilterAbortsTheExport() throws Exception {
    var name = Api.newFilter(LARGE);
    var response = client.send(export(name), BodyHandlers.ofInputStream());
    assertEquals(200, response.statusCode());
    var announced = response.headers().firstValueAsLong("content-length").orElseThrow();
    try (var body = response.body()) {
      assertTrue(body.read() >= 0);
      Api.post(name, "clear", "").statusCode(200);
      var failure = assertThrows(IOException.class, () -> body.transferTo(new Count()));
      assertTrue(announced > 50_000_000, failure.getMessage());
    }
    // Otherwise, a stop of the service would wait for it.
    await().until(() -> !requests.description().contains(name + "/export"));
    Api.delete(name).statusCode(204);
  }

  /** Nothing has been sent yet, so the client gets an error. */
  @Test
  void clearingTheFilterRefusesASmallExport() {
    var name = Api.newFilter();
    var goesOn = new AtomicBoolean(true);
    var clears =
        CompletableFuture.runAsync(
            () -> {
              while (goesOn.get()) {
                Api.post(name, "clear", "").statusCode(200);
              }
            });
    try {
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                var response = Api.export(name, "").statusCode(anyOf(equalTo(200), equalTo(409)));
                return response.extract().statusCode();
              },
              equalTo(409));
    } finally {
      goesOn.set(false);
      InParallel.resultOf(clears);
    }
  }

  @Test
  void aClientThatDisconnectsEndsTheReading() throws Exception {
    var name = Api.newFilter(LARGE);
    try (var body = client.send(export(name), BodyHandlers.ofInputStream()).body()) {
      assertTrue(body.read() >= 0);
    }
    var response = client.send(export(name), BodyHandlers.ofInputStream());
    try (var body = response.body()) {
      var count = new Count();
      body.transferTo(count);
      assertEquals(
          response.headers().firstValueAsLong("content-length").orElseThrow(), count.bytes);
    }
    await().until(() -> !requests.description().contains(name + "/export"));
    Api.delete(name).statusCode(204);
  }

  /** They disconnect before the response, whose body is then never requested. */
  @Test
  void clientsThatDisconnectImmediatelyHoldNoStream() throws IOException {
    var name = Api.newFilter();
    var request = "GET " + Api.FILTERS + name + "/export HTTP/1.1\r\nHost: localhost\r\n\r\n";
    redis.run("CLIENT", "PAUSE", "500");
    for (var i = 0; i < 10; i++) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), service.getPort())) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      }
    }
    Api.export(name, "").statusCode(200);
    Awaitility.await()
        .during(Duration.ofMillis(500))
        .until(() -> metrics.get("bloom.streams.running").gauge().value() == 0);
  }

  @Test
  void anExportedFileMakesTheSameFilterUnderAnotherName() {
    var original = filled("{\"expectedInsertions\": 500, \"whenFull\": \"reject\"}");
    var copy = Api.newName();
    load(copy, Api.exported(original, ""))
        .statusCode(201)
        .header("Location", endsWith(Api.FILTERS + copy))
        .body("name", equalTo(copy))
        .body("expectedInsertions", equalTo(500))
        .body("whenFull", equalTo("reject"))
        .body("insertions", equalTo(2))
        .body("generation", equalTo(1));
    Api.test(copy, "a", "b", "c").body("mightContainCount", equalTo(2));
  }

  /** With one element, its rate is so close to 1 that a double cannot express the difference. */
  @Test
  void aFilterOfASingleBitIsExportedAndImported() {
    var original =
        filled("{\"hashScheme\": \"rueidisprob\", \"bitSize\": 1, \"numHashFunctions\": 40}");
    var copy = Api.newName();
    load(copy, Api.exported(original, "")).statusCode(201).body("bitSize", equalTo(1));
    Api.test(copy, "a", "b", "c").body("mightContainCount", equalTo(3));
  }

  @Test
  void aFileReplacesContentAndParametersOfAFilter() {
    var original = filled("{\"expectedInsertions\": 500}");
    var replaced = Api.newFilterOfTwoSegments();
    Api.add(replaced, "old");
    load(replaced, Api.exported(original, ""))
        .statusCode(200)
        .body("segments", equalTo(1))
        .body("expectedInsertions", equalTo(500))
        .body("generation", equalTo(2));
    Api.test(replaced, "a", "b", "old").body("mightContainCount", equalTo(2));
  }

  @Tag("slow")
  @Test
  void aFileMayBeLargerThanOtherBodies() {
    var large = filled("{\"bitSize\": 150000000, \"numHashFunctions\": 5}");
    var file = Api.exported(large, "");
    assertEquals(true, file.length > 16 << 20);
    var name = Api.newName();
    load(name, file).statusCode(201).body("segments", equalTo(9));
    Api.test(name, "a", "b").body("mightContainCount", equalTo(2));
  }

  @Test
  void aDamagedFileIsRefusedAndChangesNothing() {
    var name = filled("{\"expectedInsertions\": 500}");
    var before = Api.description(name);
    var file = Api.exported(name, "");
    for (var length : new int[] {0, 1, 20, 200, file.length - 1}) {
      Api.refused(422, "CORRUPT_IMPORT", load(name, Arrays.copyOf(file, length)));
      var other = Api.newName();
      load(other, Arrays.copyOf(file, length)).statusCode(422);
      Api.describe(other).statusCode(404);
    }
    assertEquals(before, Api.description(name));
  }

  @Test
  void anOpenRebuildIsNotDisturbed() {
    var name = filled("{\"expectedInsertions\": 500}");
    var file = Api.exported(name, "");
    Api.post(name, "rebuild", "{}").statusCode(201);
    Api.refused(409, "REBUILD_IN_PROGRESS", load(name, file));
    Api.post(name, "rebuild/commit", "{\"allowEmpty\": true}").statusCode(200);
    load(name, file).statusCode(200).body("generation", equalTo(3));
  }

  private static String filled(String body) {
    var name = Api.newFilter(body);
    Api.add(name, "a", "b");
    return name;
  }

  private static ValidatableResponse load(String name, byte[] file) {
    return Api.load(name, "", file);
  }

  private HttpRequest export(String name) {
    return HttpRequest.newBuilder(service.resolve(Api.FILTERS + name + "/export")).build();
  }

  private static final class Count extends OutputStream {
    private long bytes;

    @Override
    public void write(int value) {
      bytes++;
    }

    @Override
    public void write(byte[] buffer, int start, int length) {
      bytes += length;
    }
  }
}
