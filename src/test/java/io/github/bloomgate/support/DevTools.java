package io.github.bloomgate.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The DevTools protocol of a browser: calls with responses, and events in between. */
final class DevTools implements WebSocket.Listener {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final AtomicInteger calls = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
  private final StringBuilder message = new StringBuilder();
  private final Consumer<JsonNode> events;
  private final Duration maxWait;
  private final WebSocket socket;

  /**
   * Connects.
   *
   * @param events gets each event, on a thread of the connection
   * @param maxWait the timeout for a response
   */
  DevTools(URI address, Consumer<JsonNode> events, Duration maxWait) {
    this.events = events;
    this.maxWait = maxWait;
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .connectTimeout(maxWait)
            .buildAsync(address, this)
            .join();
  }

  /** Calls a method of the browser, or of the page if there is a session. */
  JsonNode call(String session, String method, Map<String, ?> parameters) {
    var answer = send(session, method, parameters).join();
    if (answer.has("error")) {
      throw new AssertionError(method + ": " + answer.get("error"));
    }
    return answer.path("result");
  }

  /** Calls a method without waiting for the response. */
  CompletableFuture<JsonNode> send(String session, String method, Map<String, ?> parameters) {
    var id = calls.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    open.put(id, answer);
    var call = JSON.createObjectNode().put("id", id).put("method", method);
    call.set("params", JSON.valueToTree(parameters));
    if (!session.isEmpty()) {
      call.put("sessionId", session);
    }
    return socket
        .sendText(call.toString(), true)
        .thenCompose(sent -> answer)
        .orTimeout(maxWait.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
    message.append(part);
    if (last) {
      var whole = message.toString();
      message.setLength(0);
      take(whole);
    }
    from.request(1);
    return null;
  }

  private void take(String text) {
    JsonNode content;
    try {
      content = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    if (content.has("id")) {
      open.remove(content.get("id").asInt()).complete(content);
    } else {
      events.accept(content);
    }
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
    onError(from, new IllegalStateException("the browser has closed the connection"));
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    open.values().forEach(answer -> answer.completeExceptionally(failure));
  }
}
