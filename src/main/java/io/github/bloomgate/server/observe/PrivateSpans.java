package io.github.bloomgate.server.observe;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Keeps elements out of traces: the query of a request may contain some, and the framework records
 * it in the span. Used only if tracing is enabled.
 */
@Singleton
final class PrivateSpans implements SpanProcessor {

  private static final String HIDDEN = "hidden";

  /** The rest of such a path is the client's, with its query. */
  private static final String FORWARDED = "/v1/ext-authz/";

  private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");

  /** The attributes of current and older conventions. */
  private static final List<AttributeKey<String>> WITH_QUERY =
      List.of(
          AttributeKey.stringKey("url.query"),
          AttributeKey.stringKey("url.full"),
          AttributeKey.stringKey("http.target"),
          AttributeKey.stringKey("http.url"));

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {
    for (var attribute : WITH_QUERY) {
      if (span.getAttribute(attribute) != null) {
        span.setAttribute(attribute, HIDDEN);
      }
    }
    var path = span.getAttribute(PATH);
    if (path != null && path.contains(FORWARDED)) {
      span.setAttribute(PATH, HIDDEN);
    }
  }

  @Override
  public boolean isStartRequired() {
    return true;
  }

  @Override
  public void onEnd(ReadableSpan span) {}

  @Override
  public boolean isEndRequired() {
    return false;
  }
}
