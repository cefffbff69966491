package io.github.bloomgate.http;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.InParallel;
import io.netty.handler.codec.http2.Http2Error;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import jakarta.inject.Inject;
import java.net.URL;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors reach a client over HTTP/2. */
@QuarkusTest
class Http2Test {

  private static final int TOO_LARGE = 17 << 20;

  @Inject Vertx vertx;

  @TestHTTPResource URL service;

  private HttpClient client;

  private record Received(HttpClientResponse head, String body) {}

  @BeforeEach
  void connect() {
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  @Test
  void aClientWithoutAKeyIsRefused() throws Exception {
    var answer = send(HttpMethod.GET, "/v1/filters", "evil.example", Buffer.buffer());
    assertRefused(403, "FORBIDDEN", answer);
  }

  @Test
  void anInvalidPathIsRefused() throws Exception {
    assertRefused(
        404,
        "NOT_FOUND",
        send(HttpMethod.GET, "/v1/filters/a;b", service.getHost(), Buffer.buffer()));
  }

  @Test
  void aBodyThatIsTooLargeIsRefused() throws Exception {
    var body = Buffer.buffer(new byte[TOO_LARGE]);
    assertRefused(
        413, "TOO_LARGE", send(HttpMethod.POST, "/v1/filters/a/add", service.getHost(), body));
  }

  /** Over HTTP/2, only its first bytes show that there is one. */
  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/plain"})
  void anUnexpectedBodyIsRefused(String type) throws Exception {
    var name = Api.newFilter();
    Api.add(name, "a").statusCode(200);
    var answer =
        client
            .request(
                HttpMethod.POST,
                service.getPort(),
                service.getHost(),
                Api.FILTERS + name + "/clear")
            .compose(
                request -> {
                  var received = request.response().compose(Http2Test::received);
                  request.putHeader("Content-Type", type).setChunked(true);
                  var unused = request.write("{}").compose(written -> request.end());
                  return received;
                });
    assertRefused(400, "INVALID_REQUEST", InParallel.resultOf(answer.toCompletionStage()));
    Api.test(name, "a").body("mightContain", equalTo(List.of(true)));
  }

  /** In RFC 9113, NO_ERROR is only for complete responses. */
  @Test
  void anAnswerThatIsBrokenOffEndsWithAnError() throws Exception {
    var target = Api.FILTERS + Api.newFilter() + "/test?encoding=hex&return=flags&interleave=true";
    var broken = new CompletableFuture<Throwable>();
    var unused =
        client
            .request(HttpMethod.POST, service.getPort(), service.getHost(), target)
            .compose(
                request -> {
                  var answer = request.response();
                  request
                      .exceptionHandler(broken::complete)
                      .putHeader("Content-Type", "text/plain")
                      .setChunked(true)
                      .write("61\n");
                  return answer.onSuccess(
                      head ->
                          head.exceptionHandler(broken::complete)
                              .handler(flags -> request.write("no hex\n")));
                });
    var reset = assertInstanceOf(StreamResetException.class, broken.get(60, TimeUnit.SECONDS));
    assertEquals(Http2Error.INTERNAL_ERROR.code(), reset.getCode());
  }

  /** The framework's output stream closes the connection. */
  @Test
  void aResetStreamLeavesTheOthersOfItsConnection() {
    var large = Api.newFilter("{\"bitSize\": 201326592, \"numHashFunctions\": 3}");
    try (var streams = Http2Streams.open()) {
      var export = InParallel.resultOf(streams.get(Api.FILTERS + large + "/export"));
      var closed = new CompletableFuture<Void>();
      var unused = export.request().connection().closeHandler(end -> closed.complete(null));
      var other = InParallel.resultOf(streams.get(Api.FILTERS + large + "/export"));
      export.request().reset();
      Api.awaitStreams(1);
      assertEquals(200, InParallel.resultOf(streams.get("/q/health/live")).statusCode());
      assertFalse(closed.isDone());
      other.request().reset();
    }
    Api.awaitNoStream();
    Api.delete(large).statusCode(204);
  }

  @Test
  void aStreamIsReadWhileItsClientReadsNothing() {
    var name = Api.newFilter();
    try (var streams = Http2Streams.openWithoutWindow()) {
      var target = Api.FILTERS + name + "/test?return=flags";
      var head = InParallel.resultOf(streams.sendLines(target, "line\n".repeat(200_000)));
      assertEquals(200, head.statusCode());
    }
    Api.awaitNoStream();
  }

  private static Future<Received> received(HttpClientResponse head) {
    return head.body().map(text -> new Received(head, text.toString()));
  }

  private static void assertRefused(int status, String code, Received answer) {
    assertEquals(HttpVersion.HTTP_2, answer.head.version());
    assertEquals(status, answer.head.statusCode());
    assertTrue(answer.body.contains("\"" + code + "\""), answer.body);
    assertFalse(answer.head.headers().contains("connection"));
  }

  private Received send(HttpMethod method, String path, String host, Buffer body) throws Exception {
    var options =
        new RequestOptions()
            .setMethod(method)
            .setServer(
                io.vertx.core.net.SocketAddress.inetSocketAddress(
                    service.getPort(), service.getHost()))
            .setHost(host)
            .setPort(service.getPort())
            .setURI(path)
            .putHeader("Content-Type", "application/json");
    return client
        .request(options)
        .compose(
            request -> {
              // The handler is set on the event loop before the request is sent. The response may
              // arrive before all of the request is sent, and would be lost without a handler.
              var answer = request.response().compose(Http2Test::received);
              var unused = request.send(body);
              return answer;
            })
        .toCompletionStage()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }
}
