package io.github.bloomgate.http;

import io.restassured.RestAssured;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.CompletableFuture;

/** Streams of one HTTP/2 connection whose client takes its time. */
final class Http2Streams implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client =
      vertx.createHttpClient(
          new HttpClientOptions()
              .setProtocolVersion(HttpVersion.HTTP_2)
              .setHttp2ClearTextUpgrade(false)
              .setHttp2MaxPoolSize(1));

  private Http2Streams() {}

  static Http2Streams open() {
    return new Http2Streams();
  }

  /** Sends the head of a request, and nothing of its body. */
  CompletableFuture<HttpClientResponse> begin(String method, String path, String type) {
    return request(method, path)
        .thenCompose(
            request -> {
              request.putHeader("Content-Type", type).setChunked(true);
              return request
                  .sendHead()
                  .compose(sent -> request.response())
                  .toCompletionStage()
                  .toCompletableFuture();
            });
  }

  /** Sends a request; its response is paused, so that nothing of it is read. */
  CompletableFuture<HttpClientResponse> get(String path) {
    return request("GET", path)
        .thenCompose(
            request ->
                request
                    .send()
                    .onSuccess(response -> response.pause())
                    .toCompletionStage()
                    .toCompletableFuture());
  }

  /** The connection, which a PING is sent on every second. */
  CompletableFuture<HttpConnection> pinged() {
    return request("GET", "/q/health/live")
        .thenCompose(
            request -> {
              var connection = request.connection();
              vertx.setPeriodic(1000, tick -> connection.ping(Buffer.buffer("bloom-gt")));
              return request
                  .send()
                  .compose(HttpClientResponse::body)
                  .map(all -> connection)
                  .toCompletionStage()
                  .toCompletableFuture();
            });
  }

  private CompletableFuture<HttpClientRequest> request(String method, String path) {
    return client
        .request(HttpMethod.valueOf(method), RestAssured.port, "localhost", path)
        .toCompletionStage()
        .toCompletableFuture();
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
