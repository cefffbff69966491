package io.github.bloomgate.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.support.RawResponse;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The memory of requests whose clients have read the response. */
@Isolated("it looks at the memory of all requests and keeps the event loops busy")
@QuarkusTest
class AnsweredRequestsTest {

  private static final int REQUESTS = 20;

  /** Of a request with one header. */
  private static final long MOST_BYTES = 2 * Exchange.SMALL_RESPONSE + 512;

  /** More than an event loop runs before it looks for new requests. */
  private static final int TASKS = 200;

  private static final long TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  @Inject MemoryBudget memory;
  @Inject Vertx vertx;

  private volatile boolean busy = true;

  @AfterEach
  void endTasks() {
    busy = false;
  }

  /** Otherwise, a client with many connections would be refused at half of its share. */
  @Test
  void aConnectionHoldsTheMemoryOfOneRequest() throws IOException {
    var target = Api.FILTERS + Api.newFilter() + "/test?element=a";
    var request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(target).getBytes(US_ASCII);
    Awaitility.await().until(() -> memory.taken(Use.ANSWERS) == 0);
    for (var loop : ((VertxInternal) vertx).getEventLoopGroup()) {
      for (var i = 0; i < TASKS; i++) {
        keepBusy(loop);
      }
    }
    var most = new AtomicLong();
    try (var connection = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      var response = connection.getInputStream();
      for (var i = 0; i < REQUESTS; i++) {
        connection.getOutputStream().write(request);
        Awaitility.await()
            .pollInterval(Duration.ofMillis(1))
            .until(
                () -> {
                  most.accumulateAndGet(memory.taken(Use.ANSWERS), Math::max);
                  return response.available() > 0;
                });
        assertEquals(200, RawResponse.read(response, false).status());
      }
    }
    assertTrue(most.get() > 0 && most.get() <= MOST_BYTES, most + " bytes");
  }

  /** The tasks that a loop was given last wait for many others. */
  private void keepBusy(EventExecutor loop) {
    loop.execute(
        () -> {
          var end = System.nanoTime() + TASK_NANOS;
          while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
          }
          if (busy) {
            keepBusy(loop);
          }
        });
  }
}
