package io.github.bloomgate.http.page;

import io.github.bloomgate.http.answer.EntityTag;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * A file that browsers load, held in memory.
 *
 * @param content outside the heap, where answers share it; a copy each would be memory for clients
 *     that do not read
 * @param tag changes with the content, so that a browser asks again and gets it once
 * @param policy what a browser may do for it
 */
record Page(Buffer content, String type, EntityTag tag, String policy) {

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html;charset=UTF-8",
          "js", "text/javascript;charset=UTF-8",
          "css", "text/css;charset=UTF-8");

  /** Reads a file of the service's own jars. */
  static Page of(String resource, String policy) {
    var content = read(resource);
    var type = TYPES.get(resource.substring(resource.lastIndexOf('.') + 1));
    var shared = BufferImpl.buffer(Unpooled.directBuffer(content.length).writeBytes(content));
    return new Page(shared, type, EntityTag.of(content), policy);
  }

  private static byte[] read(String resource) {
    try (InputStream file = Page.class.getClassLoader().getResourceAsStream(resource)) {
      if (file == null) {
        throw new IllegalStateException("The package lacks " + resource);
      }
      return file.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Sends it, or tells a browser that it has it. */
  void answer(HttpServerRequest request) {
    var response = request.response();
    putHeaders(response);
    if (tag.isHeldBy(request)) {
      response.setStatusCode(304).end();
      return;
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, type)
        // Also of an answer to HEAD, which has no content.
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()))
        .end(content);
  }

  private void putHeaders(HttpServerResponse response) {
    response
        .putHeader("Content-Security-Policy", policy)
        // For browsers that do not know the policy.
        .putHeader("X-Frame-Options", "DENY")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
        .putHeader(HttpHeaders.ETAG, tag.text());
  }
}
