package io.github.bloomgate.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The memory of requests whose clients have read the response. */
@Isolated("it looks at the memory of all requests")
@QuarkusTest
class AnsweredRequestsTest {

  /** More than an event loop answers before it looks for new requests. */
  private static final int CONNECTIONS = 200;

  private static final int REQUESTS = 8_000;

  /** Of a request with one header. */
  private static final long MOST_BYTES = 2 * Exchange.SMALL_RESPONSE + 512;

  @Inject MemoryBudget memory;

  private final List<Socket> connections = new ArrayList<>();

  @AfterEach
  void disconnect() throws IOException {
    for (var connection : connections) {
      connection.close();
    }
  }

  /** Otherwise, a client with many connections would be refused at half of its share. */
  @Test
  void aConnectionHoldsTheMemoryOfOneRequest() throws IOException {
    var target = Api.FILTERS + Api.newFilter() + "/test?element=a";
    var request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(target).getBytes(US_ASCII);
    Awaitility.await().until(() -> memory.taken(Use.ANSWERS) == 0);
    for (var i = 0; i < CONNECTIONS; i++) {
      var connection = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
      connections.add(connection);
      connection.getOutputStream().write(request);
    }
    var most = 0L;
    for (var i = 0; i < REQUESTS; i++) {
      var connection = connections.get(i % CONNECTIONS);
      assertEquals(200, RawResponse.read(connection.getInputStream(), false).status());
      connection.getOutputStream().write(request);
      most = Math.max(most, memory.taken(Use.ANSWERS));
    }
    assertTrue(most <= CONNECTIONS * MOST_BYTES, most + " bytes");
  }
}
