package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A client of the service under test for thousands of requests. It accepts every response. */
public final class PlainHttp {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private PlainHttp() {}

  public record Reply(int status, byte[] body) {

    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    /** Returns a missing node for an empty body. */
    public JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Sends JSON and waits for the response.
   *
   * @param body text or an object; null for none
   */
  public static Reply send(String method, String path, Object body) {
    return send(method, path, "application/json", bytes(body));
  }

  public static Reply sendLines(String method, String path, String lines) {
    return send(method, path, "text/plain", bytes(lines));
  }

  /**
   * Sends a request and waits for the response.
   *
   * @param body null for none
   */
  public static Reply send(String method, String path, String type, byte[] body) {
    return sendAsync(method, path, type, body).join();
  }

  public static CompletableFuture<Reply> sendAsync(
      String method, String path, String type, byte[] body) {
    var request =
        HttpRequest.newBuilder(URI.create(RestAssured.baseURI + ":" + RestAssured.port + path))
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (body != null) {
      request.header("Content-Type", type);
    }
    return CLIENT
        .sendAsync(request.build(), BodyHandlers.ofByteArray())
        .thenApply(response -> new Reply(response.statusCode(), response.body()));
  }

  /** Clients that put load on the service under test. The query of their adds may be empty. */
  public static Load load(String query) {
    return new Load((path, elements) -> send("POST", path, Map.of("elements", elements)), query);
  }

  /** Sends JSON, and asserts that the response has this status. */
  public static Reply call(int status, String method, String path, Object body) {
    var answer = send(method, path, body);
    assertEquals(status, answer.status(), () -> method + " " + path + ": " + answer.text());
    return answer;
  }

  private static byte[] bytes(Object body) {
    try {
      return body == null
          ? null
          : body instanceof String text
              ? text.getBytes(StandardCharsets.UTF_8)
              : JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
