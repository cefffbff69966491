package io.github.bloomgate.http;

import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.FilterErrors;
import io.quarkus.security.AuthenticationFailedException;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Fails like a defect. Only tests include this resource in the service. */
@Path(FailingResource.PATH)
public class FailingResource {

  static final String PATH = "/test-only/failing";

  /** Part of an exception that a client must not see. */
  static final String SECRET = "kept-inside-the-exception";

  @GET
  @RolesAllowed(Role.READS)
  public String fail() {
    throw new IllegalStateException(SECRET);
  }

  @GET
  @Path("/rate")
  @RolesAllowed(Role.READS)
  public String failAsTooFast() {
    throw AccessErrors.rateLimited("requests-per-key", 1, 1);
  }

  @GET
  @Path("/slots")
  @RolesAllowed(Role.READS)
  public String failAcrossSlots() {
    throw FilterErrors.renameAcrossSlots("a", "b");
  }

  @GET
  @Path("/authentication")
  @RolesAllowed(Role.READS)
  public String failToAuthenticate() {
    throw new AuthenticationFailedException(SECRET);
  }
}
