package io.github.bloomgate.http;

import io.github.bloomgate.elements.CounterService;
import io.github.bloomgate.http.answer.CountResult;
import io.github.bloomgate.http.answer.ElementsResult;
import io.github.bloomgate.http.answer.ElementsResult.Operation;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestPath;

/** Removes and counts elements. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class CounterResource {

  private final CounterService counters;
  private final RateLimits rates;

  CounterResource(CounterService counters, RateLimits rates) {
    this.counters = counters;
    this.rates = rates;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/remove")
  public Uni<ElementsResult> remove(
      @RestPath String name, @Context RoutingContext context, ElementsRequest body) {
    var filterName = new FilterName(name);
    var query = ElementsQuery.of(context);
    var removed = body.toBytes(context);
    return rates
        .takeElements(context, filterName, removed.size())
        .chain(() -> counters.remove(filterName, removed, query.durability()))
        .map(
            answers ->
                ElementsResult.of(
                    Operation.REMOVE, query.jsonReturnMode(), body.elements(), answers));
  }

  @POST
  @RolesAllowed(Role.READS)
  @Path("/{name}/count")
  public Uni<CountResult> count(
      @RestPath String name, @Context RoutingContext context, ElementsRequest body) {
    var filterName = new FilterName(name);
    var asked = body.toBytes(context);
    return rates
        .takeElements(context, filterName, asked.size())
        .chain(() -> counters.count(filterName, asked))
        .map(CountResult::of);
  }
}
