package io.github.bloomgate.http;

import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.SourceView;
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
import org.jboss.resteasy.reactive.RestPath;

/** Sources of filters. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
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
  public SourceView set(
      @RestPath String name, SourceRequest body, @Context RoutingContext context) {
    if (body.redisKey() != null) {
      caller.requireRedisKey(context, body.redisKey());
    }
    return SourceView.of(sources.attach(new FilterName(name), body.toSource()));
  }

  @GET
  @Path("/{name}/source")
  @RolesAllowed(Role.READS)
  public SourceView describe(@RestPath String name) {
    return SourceView.of(sources.find(new FilterName(name)));
  }

  @DELETE
  @Path("/{name}/source")
  @RolesAllowed(Role.ADMINISTERS)
  public void remove(@RestPath String name) {
    sources.detach(new FilterName(name));
  }
}
