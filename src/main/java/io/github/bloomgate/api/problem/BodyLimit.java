package io.github.bloomgate.api.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.error.BloomException;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Answers a body that announces itself as too large with a problem document. The framework's own
 * answer, which is before any exception mapper, has no body.
 */
@Singleton
class BodyLimit {

  /** Before all that reads the body. */
  private static final int PRIORITY = 1000;

  private final long limit;
  private final ObjectMapper json;

  BodyLimit(
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit,
      ObjectMapper json) {
    this.limit = limit.asLongValue();
    this.json = json;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, PRIORITY);
  }

  private void check(RoutingContext context) {
    var length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null || fits(length)) {
      context.next();
      return;
    }
    context
        .response()
        .setStatusCode(413)
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        // The body is not read, so the connection cannot be used again.
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .end(body(length));
  }

  private boolean fits(String length) {
    try {
      return Long.parseLong(length) <= limit;
    } catch (NumberFormatException malformed) {
      // Not for us to judge: the framework answers it.
      return true;
    }
  }

  private String body(String length) {
    var error =
        BloomException.tooLarge(
            "The body has %s bytes; the limit is %d. Send fewer elements in one request."
                .formatted(length, limit));
    try {
      return json.writeValueAsString(Problem.of(error));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("A problem is always writable", impossible);
    }
  }
}
