package io.github.bloomgate.http.connection;

import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import java.util.OptionalLong;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Refuses a body whose Content-Length exceeds the limit, with a problem document. The framework's
 * own response, sent before any exception mapper, would have no body. Bodies without a length are
 * measured while they are read. Streams of lines have no limit, because they are never held as a
 * whole.
 */
@Singleton
public class BodyLimit {

  /** The key of the length removed from a request's headers. */
  private static final String LENGTH = BodyLimit.class.getName();

  private final long limit;

  BodyLimit(
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit,
      MemoryBudget memory) {
    this.limit = Math.min(limit.asLongValue(), BodyMemory.longestBody(memory.most()));
  }

  /**
   * Checks the length that the client declares.
   *
   * @throws BloomException TOO_LARGE
   */
  public void requireFitting(RoutingContext context) {
    var length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null && isStream(context.request())) {
      // Otherwise the framework would refuse it. The HTTP decoder has already read the header, so
      // the body still ends correctly.
      context.request().headers().remove(HttpHeaders.CONTENT_LENGTH);
      context.put(LENGTH, length);
    } else if (length != null && Long.parseLong(length) > limit) {
      throw RequestErrors.tooLarge(
          "The body has %s bytes; the limit is %d. Send fewer elements in one request."
              .formatted(length, limit));
    }
  }

  /**
   * Removes the framework's limit, which counts decompressed bytes and answers 413 without a body.
   */
  public static void leaveToReader(RoutingContext context) {
    context.remove(VertxHttpRecorder.MAX_REQUEST_SIZE_KEY);
  }

  public long bytes() {
    return limit;
  }

  /** The Content-Length that the client sent, if any. */
  public static OptionalLong declaredLength(RoutingContext context) {
    String removed = context.get(LENGTH);
    var length =
        removed == null ? context.request().getHeader(HttpHeaders.CONTENT_LENGTH) : removed;
    return length == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(length));
  }

  public static boolean hasBody(RoutingContext context) {
    return context.request().headers().contains(HttpHeaders.TRANSFER_ENCODING)
        || declaredLength(context).orElse(0) > 0;
  }

  /** False if the head of a request shows that no body follows. */
  public static boolean mayHaveBody(RoutingContext context) {
    // Over HTTP/2, only the first bytes of a body without a length show that there is one.
    return context.request().version() == HttpVersion.HTTP_2
        ? declaredLength(context).orElse(Long.MAX_VALUE) > 0
        : hasBody(context);
  }

  /** Whether a body is read as a stream, so that it may have any length. */
  public static boolean isStream(HttpServerRequest request) {
    var header = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (header == null) {
      return false;
    }
    var type = header.split(";", 2)[0].strip();
    return type.equalsIgnoreCase(MediaType.APPLICATION_OCTET_STREAM)
        || LineFormat.of(type).isPresent();
  }
}
