package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
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
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestPath;

/** Adds and tests elements. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class ElementResource {

  private final ElementService elements;
  private final RateLimits rates;

  ElementResource(ElementService elements, RateLimits rates) {
    this.elements = elements;
    this.rates = rates;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/add")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> add(
      @RestPath String name, @Context RoutingContext context, ElementsRequest body) {
    var filterName = new FilterName(name);
    var query = ElementsQuery.of(context);
    var added = body.toBytes(context);
    return rates
        .takeElements(context, filterName, added.size())
        .chain(() -> elements.add(filterName, added, query.durability()))
        .map(
            answers ->
                ElementsResult.of(Operation.ADD, query.jsonReturnMode(), body.elements(), answers));
  }

  @POST
  @RolesAllowed(Role.READS)
  @Path("/{name}/test")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> test(
      @RestPath String name, @Context RoutingContext context, ElementsRequest body) {
    var filterName = new FilterName(name);
    var query = ElementsQuery.of(context);
    var asked = body.toBytes(context);
    return rates
        .takeElements(context, filterName, asked.size())
        .chain(() -> elements.test(filterName, asked))
        .map(
            answers ->
                ElementsResult.of(
                    Operation.TEST, query.jsonReturnMode(), body.elements(), answers));
  }

  @GET
  @RolesAllowed(Role.READS)
  @Path("/{name}/test")
  public Uni<ElementsResult> testFew(@RestPath String name, @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var asked = ElementsQuery.elements(context);
    return rates
        .takeElements(context, filterName, asked.size())
        .chain(() -> elements.test(filterName, asked))
        .map(answers -> ElementsResult.flags(Operation.TEST, answers));
  }
}
