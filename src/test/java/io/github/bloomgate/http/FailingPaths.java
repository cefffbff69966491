package io.github.bloomgate.http;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Fails like a defect, before the service looks for a resource. Only tests include it. */
public class FailingPaths {

  static final String PATH = "/test-only/failing";

  /** Part of an exception that a client must not see. */
  static final String SECRET = "kept-inside-the-exception";

  private static final int FIRST = 1;

  @ServerRequestFilter(preMatching = true, priority = FIRST)
  public void fail(ContainerRequestContext request) {
    switch (request.getUriInfo().getPath()) {
      case PATH -> throw new IllegalStateException(SECRET);
      case PATH + "/rate" ->
          throw BloomException.of(
              ErrorCode.RATE_LIMITED, "Too many requests. Wait.", new ProblemDetails.RetryAfter(1));
      case PATH + "/slots" ->
          throw BloomException.of(ErrorCode.RENAME_ACROSS_SLOTS, "The names differ. Copy it.");
      case PATH + "/authentication" ->
          throw BloomException.of(ErrorCode.UNAUTHENTICATED, "The key is unknown. Send another.");
      default -> {}
    }
  }
}
