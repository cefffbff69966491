package io.github.bloomgate.http;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are sent before the responses to earlier ones. */
@QuarkusTest
class PipelinedRequestsTest {

  private static final String BODY = "{\"elements\": [\"a\"]}";

  @Test
  void manyPipelinedRequestsAreAnsweredInOrder() throws IOException {
    var path = Api.FILTERS + Api.newFilter();
    var requests =
        List.of(
            "GET " + path + "/test?element=a HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET " + path + "-none HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST "
                + path
                + "/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: "
                + BODY.length()
                + "\r\n\r\n"
                + BODY,
            "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    var expected = new ArrayList<String>();
    var sent = new StringBuilder();
    for (var round = 0; round < 100; round++) {
      requests.forEach(sent::append);
      expected.addAll(List.of("200", "404", "200", "404", "200"));
    }
    sent.append("GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expected.add("404");
    assertEquals(expected, statuses(sent.toString()));
  }

  /** A proxy in front may have treated the second request as the body of the first. */
  @ParameterizedTest
  @ValueSource(strings = {"xchunked", "identity", "gzip, chunked", "chunked, chunked", ""})
  void requestsAfterAnUnknownTransferCodingAreIgnored(String coding) throws IOException {
    var name = Api.newFilter();
    var add =
        "POST %s%s/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            .formatted(Api.FILTERS, name);
    var request =
        add
            + "Transfer-Encoding: "
            + coding
            + "\r\n\r\n"
            + (add + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY).repeat(9);
    assertEquals(List.of("400"), statuses(request));
    // If Netty itself refuses the coding, the connection may close before there is a 400.
    var afterAnother =
        statuses("GET " + Api.FILTERS + name + " HTTP/1.1\r\nHost: localhost\r\n\r\n" + request);
    assertTrue(
        Set.of(List.of("200", "400"), List.of("200")).contains(afterAnother),
        afterAnother::toString);
    Api.test(name, "a").body("mightContainCount", equalTo(0));
  }

  @Test
  void everyResponseForbidsSniffing() {
    for (var path : List.of("/v1/filters", "/v1/nowhere", "/q/health/live", "/q/metrics", "/")) {
      assertEquals("nosniff", RestAssured.get(path).header("X-Content-Type-Options"), path);
    }
  }

  private static List<String> statuses(String requests) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .lines()
          .filter(line -> line.contains("HTTP/1.1 "))
          .map(line -> line.replaceAll(".*HTTP/1\\.1 (\\d+).*", "$1"))
          .toList();
    }
  }
}
