package io.github.bloomgate.http;

import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.SourceView;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.SourceRequest;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.SourceService;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

/** What filters are rebuilt from by the service itself. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.REBUILDS)
public class SourceResource {

  private final SourceService sources;
  private final Caller caller;

  SourceResource(SourceService sources, Caller caller) {
    this.sources = sources;
    this.caller = caller;
  }

  @PUT
  @Path("/{name}/source")
  @RolesAllowed(Role.ADMINISTERS)
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "setSource",
      summary = "Give a filter a source",
      description =
          "The service then rebuilds the filter from it by itself, one instance at a time, when the"
              + " schedule says so. Replaces a source it may have; the same one again changes"
              + " nothing. The source itself is looked at when it is read.")
  @APIResponse(responseCode = "200", description = "The filter has this source")
  public SourceView set(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      SourceRequest body,
      @Context RoutingContext context) {
    if (body.redisKey() != null) {
      caller.requireRedisKey(context, body.redisKey());
    }
    return SourceView.of(sources.attach(new FilterName(name), body.toSource()));
  }

  @GET
  @Path("/{name}/source")
  @RolesAllowed(Role.READS)
  @Operation(
      operationId = "describeSource",
      summary = "Describe the source of a filter",
      description = "What it is, when it is read, and how the last run ended.")
  @APIResponse(responseCode = "200", description = "The source of the filter")
  public SourceView describe(@Parameter(ref = ApiDefinition.NAME) @RestPath String name) {
    return SourceView.of(sources.find(new FilterName(name)));
  }

  @DELETE
  @Path("/{name}/source")
  @RolesAllowed(Role.ADMINISTERS)
  @Operation(
      operationId = "removeSource",
      summary = "Take the source of a filter away",
      description = "Its content stays; a run that is on its way ends without effect.")
  @APIResponse(responseCode = "204", description = "The filter has no source")
  public void remove(@Parameter(ref = ApiDefinition.NAME) @RestPath String name) {
    sources.detach(new FilterName(name));
  }
}
