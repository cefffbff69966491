package io.github.bloomgate.topology;

import io.restassured.RestAssured;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

/** A client that accepts every response. */
final class PlainHttp {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  record Answer(int status, byte[] body) {}

  /**
   * Sends a request to the service under test and waits for the answer.
   *
   * @param body null for none
   */
  Answer send(String method, String path, String type, byte[] body) {
    return sendAsync(method, path, type, body).join();
  }

  CompletableFuture<Answer> sendAsync(String method, String path, String type, byte[] body) {
    var request =
        HttpRequest.newBuilder(URI.create(RestAssured.baseURI + ":" + RestAssured.port + path))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    if (body != null) {
      request.header("Content-Type", type);
    }
    return client
        .sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
        .thenApply(response -> new Answer(response.statusCode(), response.body()));
  }
}
