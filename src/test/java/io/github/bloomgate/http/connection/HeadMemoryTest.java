package io.github.bloomgate.http.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of heads and trailers that have arrived in part. */
@Isolated("it looks at the memory of all connections")
@QuarkusTest
class HeadMemoryTest {

  private static final String LINES = "a:\r\n".repeat(4_000);

  /**
   * The objects for these lines take more. Far more than a connection, because those of other tests
   * may be closed meanwhile.
   */
  private static final long MANY = 4_000 * 100;

  /** The memory of a connection, and a little more. */
  private static final long FEW = 20_000;

  private static final String GET = "GET /v1/nowhere HTTP/1.1\r\nHost: localhost\r\n";

  private static final String TRAILERS =
      "POST /v1/nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";

  @Inject MemoryBudget memory;

  /** Connections are watched from the first request on. */
  @BeforeEach
  void atLeastOneRequest() {
    RestAssured.get("/v1/nowhere").then().statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {GET, GET + "\r\n" + GET, TRAILERS, GET + "\r\n" + TRAILERS})
  void linesTakeMemoryUntilTheyAreComplete(String beginning) throws IOException {
    try (var connection = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      var before = memory.taken(Use.CONNECTIONS);
      var out = connection.getOutputStream();
      out.write((beginning + LINES).getBytes(US_ASCII));
      Awaitility.await().until(() -> memory.taken(Use.CONNECTIONS) >= before + MANY);
      out.write("\r\n".getBytes(US_ASCII));
      Awaitility.await().until(() -> memory.taken(Use.CONNECTIONS) <= before + FEW);
      out.write((GET + "Connection: close\r\n\r\n").getBytes(US_ASCII));
      assertEquals(404, RawResponse.read(connection.getInputStream(), false).status());
      connection.getInputStream().readAllBytes();
    }
  }

  @Test
  void aCompleteRequestLeavesOnlyTheMemoryOfItsConnection() throws IOException {
    try (var connection = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      var before = memory.taken(Use.CONNECTIONS);
      for (var i = 0; i < 5; i++) {
        connection.getOutputStream().write((GET + LINES + "\r\n").getBytes(US_ASCII));
        assertEquals(404, RawResponse.read(connection.getInputStream(), false).status());
        Awaitility.await().until(() -> memory.taken(Use.CONNECTIONS) <= before + FEW);
      }
    }
  }
}
