package io.github.bloomgate.http.connection;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.RawResponse;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.SingleThreadEventLoop;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Inject;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Bodies wait until there is memory for them. */
@Isolated("it uses all the memory for bodies")
@QuarkusTest
class ArrivingBodyTest {

  private static final String LARGE =
      Collections.nCopies(1_000, "\"" + "a".repeat(1_000) + "\"").stream()
          .collect(Collectors.joining(",", "{\"elements\":[", "]}"));

  @Inject MemoryBudget memory;
  @Inject MeterRegistry metrics;
  @Inject Vertx vertx;

  @TestHTTPResource URI service;

  private Gauge waiting;

  private String filter;

  @BeforeEach
  void create() {
    filter = Api.newFilter();
    waiting = metrics.get("bloom.memory.waiting").gauge();
    awaitNothingHeld();
  }

  private void awaitNothingHeld() {
    Awaitility.await().until(() -> memory.taken(Use.BODIES) == 0);
  }

  private Response test(String body) {
    return RestAssured.given()
        .contentType("application/json")
        .body(body)
        .post("/v1/filters/" + filter + "/test");
  }

  @Test
  void aBodyWaitsUntilThereIsRoom() {
    var all = memory.takeOrWait(Use.BODIES, memory.most());
    var answer = new CompletableFuture<Response>();
    var unused = InParallel.run(() -> answer.complete(test(LARGE)));
    Awaitility.await().until(() -> waiting.value() == 1);
    all.close();
    InParallel.resultOf(answer).then().statusCode(200);
    awaitNothingHeld();
  }

  /** Otherwise the framework would buffer half a megabyte of each body. */
  @Test
  void theConnectionOfABodyThatWaitsIsNotRead() throws Exception {
    var all = memory.takeOrWait(Use.BODIES, memory.most());
    try (var socket = new Socket(service.getHost(), service.getPort())) {
      var sent = socket.getOutputStream();
      var head =
          "POST /v1/filters/%s/test HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
              .formatted(filter, "Content-Type: application/json\r\n", LARGE.length());
      sent.write((head + LARGE.substring(0, 20_000)).getBytes(StandardCharsets.US_ASCII));
      Awaitility.await().until(() -> waiting.value() == 1 && !isRead(socket.getLocalPort()));
      all.close();
      sent.write(LARGE.substring(20_000).getBytes(StandardCharsets.US_ASCII));
      assertEquals(200, RawResponse.read(socket.getInputStream(), false).status());
      assertTrue(isRead(socket.getLocalPort()), "reads the next request");
    } finally {
      all.close();
    }
    awaitNothingHeld();
  }

  /** Whether the service reads from the connection of this port of the client. */
  private boolean isRead(int port) {
    return StreamSupport.stream(((VertxInternal) vertx).getEventLoopGroup().spliterator(), false)
        .flatMap(loop -> channels((SingleThreadEventLoop) loop).stream())
        .filter(
            channel ->
                channel.remoteAddress() instanceof InetSocketAddress client
                    && client.getPort() == port)
        .allMatch(channel -> channel.config().isAutoRead());
  }

  private static List<Channel> channels(SingleThreadEventLoop loop) {
    var channels = new ArrayList<Channel>();
    loop.submit(() -> loop.registeredChannelsIterator().forEachRemaining(channels::add))
        .syncUninterruptibly();
    return channels;
  }

  @Test
  void aBodyThatWaitsRepeatedlyIsComplete() {
    var taken = new ArrayDeque<Holding>();
    for (var left = memory.most(); left > 0; left -= 20_000) {
      taken.add(memory.takeOrWait(Use.BODIES, Math.min(left, 20_000)));
    }
    var answer = new CompletableFuture<Response>();
    var unused = InParallel.run(() -> answer.complete(test(LARGE)));
    try {
      Awaitility.await()
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                if (waiting.value() > 0) {
                  taken.remove().close();
                }
                return answer.isDone();
              });
      InParallel.resultOf(answer)
          .then()
          .statusCode(200)
          .body("mightContain.size()", equalTo(1_000));
    } finally {
      taken.forEach(Holding::close);
    }
    awaitNothingHeld();
  }

  @Test
  void aClientThatLeavesGivesItsRoomBack() throws Exception {
    try (var socket = new Socket(service.getHost(), service.getPort())) {
      socket
          .getOutputStream()
          .write(
              ("POST /v1/filters/"
                      + filter
                      + "/test HTTP/1.1\r\nHost: localhost\r\n"
                      + "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
                  .getBytes(StandardCharsets.US_ASCII));
      Awaitility.await().until(() -> memory.taken(Use.BODIES) > 0);
      assertTrue(memory.taken(Use.BODIES) < 20_000, "only as much as has arrived");
    }
    awaitNothingHeld();
  }

  @Test
  void aBodyOfSingleBytesTakesNoMoreThanAnother() throws Exception {
    var json = "{\"elements\":[\"" + "a".repeat(50_000) + "\"]}";
    try (var socket = new Socket(service.getHost(), service.getPort())) {
      var request =
          new StringBuilder(
              "POST /v1/filters/"
                  + filter
                  + "/test HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                  + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
      json.chars().forEach(c -> request.append("1\r\n").append((char) c).append("\r\n"));
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
      Awaitility.await().until(() -> memory.taken(Use.BODIES) >= json.length());
      assertTrue(memory.taken(Use.BODIES) <= 2L * json.length(), "only as much as has arrived");
      socket.getOutputStream().write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    }
    awaitNothingHeld();
  }

  @Test
  void refusedAndFailedRequestsGiveTheirMemoryBack() {
    test("{\"elements\":[").then().statusCode(400);
    test("").then().statusCode(400);
    RestAssured.given()
        .contentType("text/html")
        .body(LARGE)
        .post("/v1/filters/" + filter + "/test")
        .then()
        .statusCode(415);
    test("{\"elements\":[\"" + "a".repeat(1_000_000) + "\"]}").then().statusCode(422);
    awaitNothingHeld();
    assertEquals(0, memory.taken(Use.WORK));
  }
}
