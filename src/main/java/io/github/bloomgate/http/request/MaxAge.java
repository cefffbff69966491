package io.github.bloomgate.http.request;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.regex.Pattern;

/** The age that a client allows: {@code Cache-Control: max-age=1}. */
public final class MaxAge {

  /** Responses are never older, even if a client allows more. */
  public static final Duration MOST = Duration.ofSeconds(1);

  private static final Pattern ALLOWED =
      Pattern.compile("max-age=0*[1-9][0-9]*", Pattern.CASE_INSENSITIVE);

  private MaxAge() {}

  /** Zero unless the header only allows at least a second. */
  public static Duration of(HttpServerRequest request) {
    var control = request.getHeader(HttpHeaders.CACHE_CONTROL);
    return control != null && ALLOWED.matcher(control.strip()).matches() ? MOST : Duration.ZERO;
  }
}
