package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The least of a client, for thousands of requests in a moment. */
final class JsonHttp {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private JsonHttp() {}

  /**
   * A response.
   *
   * @param body a missing node for nothing
   */
  record Reply(int status, JsonNode body) {}

  /**
   * Sends a request and takes nothing for an answer but this status.
   *
   * @param body null for none
   */
  static JsonNode call(int status, String method, String path, Object body) {
    var reply = send(method, path, body);
    assertEquals(status, reply.status(), () -> method + " " + path + ": " + reply.body());
    return reply.body();
  }

  static Reply send(String method, String path, Object body) {
    try {
      var content =
          body == null
              ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
      var request =
          HttpRequest.newBuilder(URI.create(RestAssured.baseURI + ":" + RestAssured.port + path))
              .header("Content-Type", "application/json")
              .method(method, content)
              .build();
      var response = CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return new Reply(response.statusCode(), JSON.readTree(response.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
