package io.github.bloomgate.http.problem;

import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.LineFormat;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Answers a body that announces itself as too large with a problem document. The framework's own
 * answer, which is before any exception mapper, has no body. One that does not announce its length
 * is measured where it is read. Lines are never held as a whole, so that they may be of any length.
 */
@Singleton
public class BodyLimit {

  /** Under which a request notes the length that was taken away from its headers. */
  private static final String LENGTH = BodyLimit.class.getName();

  private final long limit;

  BodyLimit(
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit,
      MemoryBudget memory) {
    this.limit = Math.min(limit.asLongValue(), BodyMemory.longestBody(memory.most()));
  }

  /** Why the body of a request is not taken; empty if it is. */
  public Optional<BloomException> refusal(RoutingContext context) {
    var length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null && isStream(context.request())) {
      // Else the framework's own check refuses it. That it may be long is known; its end is found
      // by the decoder of HTTP, which has read the header before.
      context.request().headers().remove(HttpHeaders.CONTENT_LENGTH);
      context.put(LENGTH, length);
      return Optional.empty();
    }
    if (length == null || fits(length)) {
      return Optional.empty();
    }
    return Optional.of(
        RequestErrors.tooLarge(
            "The body has %s bytes; the limit is %d. Send fewer elements in one request."
                .formatted(length, limit)));
  }

  /**
   * Lifts the framework's own limit, which counts unpacked bytes and answers 413 without a body
   * while the body is read.
   */
  public static void leaveToReader(RoutingContext context) {
    context.remove(VertxHttpRecorder.MAX_REQUEST_SIZE_KEY);
  }

  /** The most bytes of a body that is held as a whole. */
  public long bytes() {
    return limit;
  }

  /** Whether a stream announces how long it is. */
  public static boolean hasLength(RoutingContext context) {
    return context.get(LENGTH) != null;
  }

  /** Whether a request announces a body. */
  public static boolean hasBody(RoutingContext context) {
    var headers = context.request().headers();
    String taken = context.get(LENGTH);
    var length = taken == null ? headers.get(HttpHeaders.CONTENT_LENGTH) : taken;
    return headers.contains(HttpHeaders.TRANSFER_ENCODING)
        || (length != null && !length.equals("0"));
  }

  /** Whether the body of a request is read while it arrives, so that it may be of any length. */
  public static boolean isStream(HttpServerRequest request) {
    var header = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (header == null) {
      return false;
    }
    var type = header.split(";", 2)[0].strip();
    return type.equalsIgnoreCase(MediaType.APPLICATION_OCTET_STREAM)
        || LineFormat.of(type).isPresent();
  }

  private boolean fits(String length) {
    try {
      return Long.parseLong(length) <= limit;
    } catch (NumberFormatException malformed) {
      // Not for us to judge: the framework answers it.
      return true;
    }
  }
}
