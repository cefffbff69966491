package io.github.bloomgate.http;

import io.github.bloomgate.support.InParallel;
import io.restassured.RestAssured;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Streams of one HTTP/2 connection whose client is slow. */
final class Http2Streams implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client;

  private Http2Streams(Http2Settings settings) {
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setInitialSettings(settings)
                .setHttp2MaxPoolSize(1));
  }

  static Http2Streams open() {
    return new Http2Streams(new Http2Settings());
  }

  /** A client that accepts heads, and no content. */
  static Http2Streams openWithoutWindow() {
    return new Http2Streams(new Http2Settings().setInitialWindowSize(0));
  }

  /** Sends the head of a request without a body. */
  CompletableFuture<HttpClientResponse> begin(String method, String path, String type) {
    return request(
        method,
        path,
        request -> {
          request.putHeader("Content-Type", type).setChunked(true);
          return request.sendHead().compose(sent -> request.response());
        });
  }

  /** Sends a request and pauses its response, so that nothing of it is read. */
  CompletableFuture<HttpClientResponse> get(String path) {
    return request("GET", path, request -> request.send().onSuccess(response -> response.pause()));
  }

  /** Sends lines without a length, and completes with the head when all of them have been sent. */
  CompletableFuture<HttpClientResponse> sendLines(String path, String lines) {
    return request(
        "POST",
        path,
        request -> {
          var head = request.response();
          request.putHeader("Content-Type", "text/plain").setChunked(true);
          return request.end(lines).compose(sent -> head);
        });
  }

  /** Sends a request and cancels it at once. */
  void reset(String path) {
    InParallel.resultOf(
        request(
            "GET",
            path,
            request ->
                request
                    .exceptionHandler(reset -> {})
                    .sendHead()
                    .onSuccess(sent -> request.reset())));
  }

  /** Sends a request with part of its body and cancels it, which may close the connection. */
  void resetHalf(String method, String path, String type, String half) {
    InParallel.resultOf(
        request(
                method,
                path,
                request -> {
                  request
                      .exceptionHandler(reset -> {})
                      .putHeader("Content-Type", type)
                      .setChunked(true);
                  var sent = request.write(half);
                  request.reset();
                  return sent;
                })
            .handle((sent, reset) -> null));
  }

  /** The connection, with a PING every second. */
  CompletableFuture<HttpConnection> pinged() {
    return request(
        "GET",
        "/q/health/live",
        request -> {
          var connection = request.connection();
          vertx.setPeriodic(1000, tick -> connection.ping(Buffer.buffer("bloom-gt")));
          return request.send().compose(HttpClientResponse::body).map(all -> connection);
        });
  }

  /**
   * Sends on the event loop, because a response that arrives before its handler is set would be
   * lost.
   */
  private <T> CompletableFuture<T> request(
      String method, String path, Function<HttpClientRequest, Future<T>> send) {
    return client
        .request(HttpMethod.valueOf(method), RestAssured.port, "localhost", path)
        .compose(send)
        .toCompletionStage()
        .toCompletableFuture();
  }

  @Override
  public void close() {
    InParallel.resultOf(vertx.close().toCompletionStage());
  }
}
