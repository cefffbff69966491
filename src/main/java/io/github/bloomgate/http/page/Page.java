package io.github.bloomgate.http.page;

import io.github.bloomgate.http.answer.EntityTag;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.impl.MimeMapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * A file for browsers, held in memory.
 *
 * @param content off-heap and shared by responses, so that clients that do not read use no memory
 * @param tag changes with the content, so that browsers can revalidate
 */
record Page(Buffer content, String type, EntityTag tag) {

  /** No external or inline content, no frames. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** Reads a file from the service's jars; empty if there is none. */
  static Optional<Page> of(String resource) {
    try (var file = Page.class.getClassLoader().getResourceAsStream(resource)) {
      if (file == null) {
        return Optional.empty();
      }
      var content = file.readAllBytes();
      var type = MimeMapping.getMimeTypeForFilename(resource) + ";charset=UTF-8";
      var shared = BufferImpl.buffer(Unpooled.directBuffer(content.length).writeBytes(content));
      return Optional.of(new Page(shared, type, EntityTag.of(content)));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  void answer(HttpServerRequest request) {
    var response = request.response();
    putHeaders(response);
    if (tag.isHeldBy(request)) {
      response.setStatusCode(304).end();
      return;
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, type)
        // Also for HEAD, which has no content.
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()))
        .end(content);
  }

  private void putHeaders(HttpServerResponse response) {
    response
        .putHeader("Content-Security-Policy", POLICY)
        // For browsers without support for the policy.
        .putHeader("X-Frame-Options", "DENY")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
        .putHeader(HttpHeaders.ETAG, tag.text());
  }
}
