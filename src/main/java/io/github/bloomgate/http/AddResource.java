package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.http.access.NamedFilters;
import io.github.bloomgate.http.answer.FiltersResult;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.FiltersRequest;
import io.github.bloomgate.http.security.Role;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Adds elements to several filters. */
@Path("/v1/add")
@Produces(MediaType.APPLICATION_JSON)
public class AddResource {

  private final ElementService elements;
  private final NamedFilters named;
  private final RateLimits rates;

  AddResource(ElementService elements, NamedFilters named, RateLimits rates) {
    this.elements = elements;
    this.named = named;
    this.rates = rates;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<FiltersResult> add(RoutingContext context, FiltersRequest body) {
    var query = ElementsQuery.of(context);
    var added = body.toBytes(context);
    var filters = named.of(context, body.filters(), added.size());
    rates.takeRequests(context, filters);
    return rates
        .takeElements(context, filters, added.size(), false)
        .chain(() -> elements.addToAll(filters, added, query.durability()))
        .map(FiltersResult::added);
  }
}
