package io.github.bloomgate.http;

import io.github.bloomgate.filters.Changed;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.filters.RenameService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.request.ExpiryRequest;
import io.github.bloomgate.http.request.RenameRequest;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestPath;

/** Clears, renames and expires filters. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class FilterChangeResource {

  private final FilterService filters;
  private final RenameService renames;
  private final DescriptionService descriptions;
  private final Caller caller;
  private final Clock clock;

  FilterChangeResource(
      FilterService filters,
      RenameService renames,
      DescriptionService descriptions,
      Caller caller,
      Clock clock) {
    this.filters = filters;
    this.renames = renames;
    this.descriptions = descriptions;
    this.caller = caller;
    this.clock = clock;
  }

  @PUT
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/expiry")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView setExpiry(@RestPath String name, ExpiryRequest body) {
    return describe(filters.expire(new FilterName(name), Optional.of(body.toInstant(clock))));
  }

  @DELETE
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/expiry")
  public FilterView removeExpiry(@RestPath String name) {
    return describe(filters.expire(new FilterName(name), Optional.empty()));
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/clear")
  public FilterView clear(@RestPath String name) {
    return describe(filters.clear(new FilterName(name)));
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/rename")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView rename(
      @RestPath String name, RenameRequest body, @Context RoutingContext context) {
    caller.requireName(context, body.to());
    var to = new FilterName(body.to());
    return describe(renames.rename(new FilterName(name), to, body.replaces()));
  }

  private FilterView describe(Changed changed) {
    return FilterView.of(descriptions.describeChanged(changed));
  }
}
