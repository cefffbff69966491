package io.github.bloomgate.http;

import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.FilterErrors;
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
      case PATH + "/rate" -> throw AccessErrors.rateLimited("requests-per-key", 1, 1);
      case PATH + "/slots" -> throw FilterErrors.renameAcrossSlots("a", "b");
      case PATH + "/authentication" -> throw AccessErrors.unknownKey();
      default -> {}
    }
  }
}
