package io.github.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.follow.BitsFollower;
import io.github.bloomgate.http.door.ShutdownGate;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.support.RawRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams to followers over HTTP. */
@QuarkusTest
@Timeout(120)
class FollowResourceTest {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @Inject LiveFilters live;
  @Inject RawRedis redis;
  @Inject ShutdownGate shutdown;
  @Inject MeterRegistry metrics;

  /** A stream that is read in steps. */
  private static final class Stream implements AutoCloseable {
    private final BitsFollower bits;
    private final DataInputStream in;

    private Stream(BitsFollower bits, HttpRequest request) throws Exception {
      this.bits = bits;
      var response = CLIENT.send(request, BodyHandlers.ofInputStream());
      assertEquals(200, response.statusCode());
      assertEquals(
          "application/vnd.bloomgate.follow",
          response.headers().firstValue("Content-Type").orElseThrow());
      this.in = new DataInputStream(response.body());
    }

    private static Stream open(String name, BitsFollower bits) throws Exception {
      var request = HttpRequest.newBuilder(uri(name));
      var known = bits.begin();
      if (known.isPresent()) {
        var has = known.get();
        var marks =
            has.marks().entrySet().stream()
                .collect(
                    Collectors.toMap(
                        entry -> entry.getKey().toString(),
                        entry -> HexFormat.of().formatHex(entry.getValue())));
        var resume = has.resume().map(some -> "%016x%016x".formatted(some.content(), some.place()));
        var body =
            Map.of(
                "incarnation", has.incarnation(), "resume", resume.orElseThrow(), "marks", marks);
        request
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(new ObjectMapper().writeValueAsString(body)));
      }
      return new Stream(bits, request.build());
    }

    private void readUntil(BooleanSupplier condition) throws IOException {
      while (!condition.getAsBoolean()) {
        var head = in.readNBytes(5);
        var frame = new ByteArrayOutputStream();
        frame.write(head);
        frame.write(in.readNBytes(ByteBuffer.wrap(head).getInt(1)));
        bits.receive(frame.toByteArray());
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private static URI uri(String name) {
    return URI.create("http://localhost:%d/v1/filters/%s/follow".formatted(RestAssured.port, name));
  }

  private boolean isIn(BitsFollower bits, String name, String element) {
    var generation = live.get(new FilterName(name)).live();
    return bits.incarnation().orElse("").equals(generation.incarnation())
        && bits.mightContain(generation, element.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aFollowerGetsTheContentAndEveryChange() throws Exception {
    var name = Api.newFilter(Api.SHARP);
    Api.add(name, "a");
    var bits = new BitsFollower();
    try (var stream = Stream.open(name, bits)) {
      stream.readUntil(() -> bits.ats() > 0);
      assertTrue(isIn(bits, name, "a"));
      assertFalse(isIn(bits, name, "b"));
      Api.add(name, "b");
      stream.readUntil(() -> isIn(bits, name, "b"));
      Api.raw().post(Api.FILTERS + name + "/clear").then().statusCode(200);
      Api.add(name, "c");
      stream.readUntil(() -> isIn(bits, name, "c"));
      assertFalse(isIn(bits, name, "a"));
      Api.delete(name).statusCode(204);
      stream.readUntil(() -> bits.end().isPresent());
      assertEquals("FILTER_NOT_FOUND", bits.end().get().get("code").textValue());
      assertTrue(bits.end().get().get("retryAfterSeconds").intValue() > 0);
      assertEquals(-1, stream.in.read());
    }
  }

  @Test
  void aFollowerThatComesBackGetsOnlyWhatItLacks() throws Exception {
    var name = Api.newFilter("{\"bitSize\": 16777280, \"numHashFunctions\": 7}");
    Api.add(name, "a", "b", "c", "d", "e");
    var bits = new BitsFollower();
    try (var stream = Stream.open(name, bits)) {
      stream.readUntil(() -> bits.ats() > 0);
    }
    var before = bits.contents();
    assertTrue(before > 0);
    Api.add(name, "f");
    try (var stream = Stream.open(name, bits)) {
      var ats = bits.ats();
      stream.readUntil(() -> bits.ats() > ats && isIn(bits, name, "f"));
    }
    assertEquals(1, bits.contents() - before, "one patch");
    try (var stream = Stream.open(name, bits)) {
      var ats = bits.ats();
      stream.readUntil(() -> bits.ats() > ats);
    }
    assertEquals(1, bits.contents() - before);
  }

  @Test
  void onceEndsWithTheFirstCompleteContent() {
    var name = Api.newFilter(Api.SHARP);
    Api.add(name, "a");
    var bits = new BitsFollower();
    assertTrue(bits.begin().isEmpty());
    bits.receive(Api.raw().get(uri(name) + "?once=true").then().extract().asByteArray());
    assertEquals(1, bits.ats());
    assertTrue(isIn(bits, name, "a"));
  }

  @Test
  void aLostSegmentEndsTheStream() throws Exception {
    var name = Api.newFilter();
    Api.add(name, "a");
    var bits = new BitsFollower();
    try (var stream = Stream.open(name, bits)) {
      stream.readUntil(() -> bits.ats() > 0);
      redis.run("DEL", Api.fields(name).getString("redisKey"));
      stream.readUntil(() -> bits.end().isPresent());
      assertEquals("FILTER_DAMAGED", bits.end().get().get("code").textValue());
    }
  }

  @Test
  void aShutdownEndsAllStreams() throws Exception {
    var name = Api.newFilter();
    var bits = new BitsFollower();
    try (var stream = Stream.open(name, bits)) {
      stream.readUntil(() -> bits.ats() > 0);
      shutdown.refuse(true);
      try {
        stream.readUntil(() -> bits.end().isPresent());
        assertEquals("SHUTTING_DOWN", bits.end().get().get("code").textValue());
        assertEquals(-1, stream.in.read());
      } finally {
        shutdown.refuse(false);
      }
    }
  }

  @Test
  void aFilterThatCannotBeFollowedIsRefused() {
    Api.refused(404, "FILTER_NOT_FOUND", Api.raw().get(uri(Api.newName())).then());
    var large = Api.newFilter("{\"expectedInsertions\": 500000000}");
    Api.refused(422, "LIMIT_EXCEEDED", Api.raw().get(uri(large)).then());
    Api.delete(large).statusCode(204);
  }

  /** They disconnect before the response, whose body is then never requested. */
  @Test
  void clientsThatDisconnectImmediatelyHoldNoPlace() throws IOException {
    var name = Api.newFilter();
    Awaitility.await().until(() -> followers() == 0);
    var request = "GET /v1/filters/%s/follow HTTP/1.1\r\nHost: localhost\r\n\r\n";
    redis.run("CLIENT", "PAUSE", "500");
    for (var i = 0; i < 10; i++) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
        // Another name each time, because a filter that is known is not asked for.
        var head = request.formatted(Api.newName());
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      }
    }
    Api.export(name, "").statusCode(200);
    Awaitility.await().during(Duration.ofMillis(500)).until(() -> followers() == 0);
  }

  private double followers() {
    return metrics.get("bloom.followers").gauge().value();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"incarnation\":\"a\",\"resume\":\"00\"}",
        "{\"incarnation\":\"a\",\"resume\":\"zz000000000000000000000000000000\"}",
        "{\"incarnation\":\"a\",\"marks\":{\"x\":\"0000000000000000\"}}",
        "{\"incarnation\":\"a\",\"marks\":{\"-1\":\"0000000000000000\"}}",
        "{\"incarnation\":\"a\",\"marks\":{\"0\":\"00\"}}",
        "{\"incarnation\":\"a\",\"marks\":{\"0\":null}}",
        "{\"incarnation\":1}",
        "{\"mark\":{}}"
      })
  void whatAClientHasMustBeWellFormed(String body) {
    var name = Api.newFilter();
    Api.refused(400, "INVALID_REQUEST", Api.json(body).post(uri(name)).then());
  }

  @Test
  void unknownPlacesAndMarksMakeNoDifference() {
    var name = Api.newFilter(Api.SHARP);
    Api.add(name, "a");
    var bits = new BitsFollower();
    bits.begin();
    var incarnation = live.get(new FilterName(name)).live().incarnation();
    var body =
        Map.of(
            "incarnation",
            incarnation,
            "resume",
            "0123456789abcdef0123456789abcdef",
            "marks",
            Map.of("0", "0123456789abcdef", "999999", "0123456789abcdef"));
    bits.receive(Api.json(body).post(uri(name) + "?once=true").then().extract().asByteArray());
    assertTrue(isIn(bits, name, "a"));
  }
}
