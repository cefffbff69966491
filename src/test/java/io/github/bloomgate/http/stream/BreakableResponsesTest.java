package io.github.bloomgate.http.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.http.limits.StreamSlots;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.RawResponse;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Responses that fail, on routes of this test. */
@Isolated("it takes all memory for streams")
@QuarkusTest
@SuppressWarnings("FutureReturnValueIgnored")
class BreakableResponsesTest {

  private static final String PATH = "/test-only/breaking";

  /** More than any socket buffers. */
  private static final int LARGE = 32 << 20;

  @Inject Router router;
  @Inject BreakableResponses responses;
  @Inject StreamSlots slots;
  @Inject MemoryBudget memory;
  @Inject MeterRegistry metrics;

  /** Sends a request that a handler answers, on a worker thread. */
  private Socket request(Consumer<RoutingContext> handler) throws IOException {
    var route = router.route(PATH).order(-1);
    route.blockingHandler(
        context -> {
          route.remove();
          handler.accept(context);
        },
        false);
    var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
    socket
        .getOutputStream()
        .write("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(PATH).getBytes(US_ASCII));
    return socket;
  }

  private static RawResponse receive(Socket socket) throws IOException {
    try (socket) {
      socket.setSoTimeout((int) InParallel.MAX_WAIT.toMillis());
      return RawResponse.read(socket.getInputStream(), false);
    }
  }

  @Test
  void anErrorAbortsAResponse() throws IOException {
    var response =
        responses.of(
            out -> {
              out.write(1);
              throw new OutOfMemoryError("of a test");
            });
    var received =
        receive(request(context -> response.body().send(context, new MultivaluedHashMap<>())));
    assertEquals(200, received.status());
    assertFalse(received.isWhole());
  }

  @Test
  void anErrorAbortsKeptResults() throws IOException {
    var received =
        receive(
            request(
                context -> {
                  var results = responses.keep(context, slots.ofFile(context));
                  write(results, new byte[KeptResults.IN_MEMORY]);
                  responses
                      .of(results, results.finish() + 1)
                      .body()
                      .send(failingAfterOneWrite(context), new MultivaluedHashMap<>());
                }));
    assertEquals(200, received.status());
    assertFalse(received.isWhole());
  }

  private static void write(KeptResults results, byte[] bytes) {
    try {
      results.write(bytes, 0, bytes.length);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A request whose response throws an error when it is written to again. */
  private static RoutingContext failingAfterOneWrite(RoutingContext context) {
    var response = context.response();
    var failing =
        proxy(
            HttpServerResponse.class,
            response,
            (name, call) -> {
              if (name.equals("write") && response.bytesWritten() > 0) {
                throw new OutOfMemoryError("of a test");
              }
              return call.call();
            });
    return proxy(
        RoutingContext.class,
        context,
        (name, call) -> name.equals("response") ? failing : call.call());
  }

  private interface Call {
    Object call() throws Throwable;
  }

  private interface Calls {
    Object on(String name, Call call) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, T original, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                calls.on(
                    method.getName(),
                    () -> {
                      try {
                        return method.invoke(original, arguments);
                      } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                      }
                    })));
  }

  /** It receives what was written before. */
  @Test
  void anAbortDoesNotWaitForItsClient() throws IOException {
    var aborted = new CompletableFuture<Void>();
    var socket =
        request(
            context -> {
              context.response().setChunked(true).write(Buffer.buffer(new byte[LARGE]));
              responses.abort(context, new IOException("of a test"));
              aborted.complete(null);
            });
    InParallel.resultOf(aborted);
    var received = receive(socket);
    assertEquals(LARGE, received.body().length);
    assertFalse(received.isWhole());
  }

  @Test
  void aStreamThatCannotBeginGivesItsPlaceBack() throws IOException {
    var failure = new CompletableFuture<Throwable>();
    try (var all = memory.takeOrWait(Use.STREAMS, memory.most())) {
      var socket =
          request(
              context ->
                  context.vertx().runOnContext(onLoop -> failure.complete(failureToTake(context))));
      InParallel.resultOf(failure);
      assertEquals(0, metrics.get("bloom.streams.running").gauge().value());
      assertEquals(all.bytes(), memory.taken(Use.STREAMS));
      socket.close();
    }
  }

  /** An event loop must not wait for memory. */
  private Throwable failureToTake(RoutingContext context) {
    return assertThrows(IllegalStateException.class, () -> slots.ofFile(context).take());
  }
}
