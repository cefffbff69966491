package io.github.bloomgate.http.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ResponseStreamTest {

  private final Map<String, Object> data = new HashMap<>();
  private final List<Handler<Object>> endHandlers = new ArrayList<>();
  private boolean isClosed;

  private final HttpServerResponse response =
      stub(
          HttpServerResponse.class,
          (self, method, arguments) ->
              switch (method.getName()) {
                case "headWritten" -> true;
                case "closed" -> isClosed;
                // Never sent.
                case "write" -> Promise.promise().future();
                default -> throw new UnsupportedOperationException(method.getName());
              });

  private final HttpServerRequest request =
      stub(
          HttpServerRequest.class,
          (self, method, arguments) ->
              switch (method.getName()) {
                case "version" -> HttpVersion.HTTP_1_1;
                case "headers" -> MultiMap.caseInsensitiveMultiMap();
                case "getHeader" -> null;
                default -> throw new UnsupportedOperationException(method.getName());
              });

  private final RoutingContext context =
      stub(
          RoutingContext.class,
          (self, method, arguments) ->
              switch (method.getName()) {
                case "request" -> request;
                case "response" -> response;
                case "put" -> data.put((String) arguments[0], arguments[1]);
                case "get" -> data.get(arguments[0]);
                case "addEndHandler" -> addEndHandler(arguments[0]);
                default -> throw new UnsupportedOperationException(method.getName());
              });

  private static <T> T stub(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @SuppressWarnings("unchecked")
  private int addEndHandler(Object handler) {
    endHandlers.add((Handler<Object>) handler);
    return endHandlers.size();
  }

  /** The framework does not call a handler that is added while it calls others, or later. */
  @Test
  @Timeout(60)
  void aStreamThatBeginsAfterTheClientHasLeftDoesNotWaitForIt() throws IOException {
    RequestEnd.watch(context);
    // Held by the context.
    var unused = new Exchange(context, Optional.empty());
    var handlers = List.copyOf(endHandlers);
    handlers.forEach(handler -> handler.handle(null));
    // Not closed, because its response is not over.
    var stream = new ResponseStream(context, new MultivaluedHashMap<>());
    assertEquals(handlers, endHandlers, "a worker thread must not add one");
    stream.write(new byte[ResponseStream.MOST_UNDER_WAY]);
    isClosed = true;
    var gone = assertThrows(IOException.class, () -> stream.write(1));
    assertEquals("The client closed the connection", gone.getMessage());
  }
}
