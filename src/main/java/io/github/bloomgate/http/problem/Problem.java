package io.github.bloomgate.http.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.http.access.KeyToken;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.Violation;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The body of every error, a problem document of RFC 9457. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    ErrorCode code,
    List<Violation> violations,
    List<Difference> differences,
    Long appliedCount,
    List<String> addedTo,
    Long line) {

  public static final String MEDIA_TYPE = "application/problem+json";

  private static final String INTERNAL_DETAIL =
      "The service failed. Report this to its operator; the log has the cause.";

  /** How long a client should wait before it tries again; Redis is usually back sooner. */
  private static final String RETRY_AFTER_SECONDS = "1";

  /** The headers of its response, without the media type. */
  static Map<String, String> headers(BloomException error) {
    var headers = new HashMap<String, String>();
    if (error.code().status() == 401) {
      headers.put(HttpHeaders.WWW_AUTHENTICATE, KeyToken.CHALLENGE);
    }
    if (error.code().status() == 503) {
      headers.put(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    if (error.details().orElse(null) instanceof ProblemDetails.RetryAfter known) {
      headers.put(HttpHeaders.RETRY_AFTER, Long.toString(known.seconds()));
    }
    if (error.details().orElse(null) instanceof ProblemDetails.Allowed known) {
      headers.put(HttpHeaders.ALLOW, known.methods());
    }
    if (error.code() == ErrorCode.TOO_LARGE) {
      // The rest of the body is not read, so the connection cannot be used again.
      headers.put("Connection", "close");
    }
    return headers;
  }

  public static Problem of(BloomException error) {
    var code = error.code();
    var details = error.details().orElse(null);
    return new Problem(
        "urn:bloomgate:problem:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        code.title(),
        code.status(),
        code == ErrorCode.INTERNAL ? INTERNAL_DETAIL : error.getMessage(),
        code,
        details instanceof ProblemDetails.Violations known ? known.violations() : null,
        details instanceof ProblemDetails.Differences known ? known.differences() : null,
        appliedCount(details),
        details instanceof ProblemDetails.AddedTo known ? known.filters() : null,
        details instanceof ProblemDetails.Stopped known ? known.line() : null);
  }

  private static Long appliedCount(ProblemDetails details) {
    return details instanceof ProblemDetails.Applied known
        ? (Long) known.count()
        : details instanceof ProblemDetails.Stopped stopped ? stopped.appliedCount() : null;
  }
}
