package io.github.bloomgate.api;

import io.github.bloomgate.error.BloomException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Fails as only a defect would; part of the service in tests alone. */
@Path(FailingResource.PATH)
public class FailingResource {

  static final String PATH = "/test-only/failing";

  /** What an exception may know and a client must not. */
  static final String SECRET = "kept-inside-the-exception";

  @GET
  @Operation(hidden = true)
  public String fail() {
    throw new IllegalStateException(SECRET);
  }

  @GET
  @Path("/import")
  @Operation(hidden = true)
  public String failAsAnImport() {
    throw BloomException.corruptImport("it is made up", 0);
  }
}
