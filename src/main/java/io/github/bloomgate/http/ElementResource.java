package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.http.answer.AddResult;
import io.github.bloomgate.http.answer.JsonAnswer;
import io.github.bloomgate.http.answer.TestResult;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.DurabilityQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.request.QueryElements;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.StreamQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Elements of filters, added and tested. */
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
  @QueryNames({StreamQuery.RETURN, StreamQuery.ENCODING, DurabilityQuery.NAME})
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<AddResult> add(
      @RestPath String name, @Context RoutingContext context, ElementsRequest body) {
    var filterName = new FilterName(name);
    var answer = JsonAnswer.of(context, body, StreamQuery.OF_ADD);
    var durability = DurabilityQuery.of(context);
    var added = body.toBytes(context);
    return rates
        .takeElements(context, filterName, added.size())
        .chain(() -> elements.add(filterName, added, durability))
        .map(answer::added);
  }

  @POST
  @RolesAllowed(Role.READS)
  @Path("/{name}/test")
  @QueryNames({StreamQuery.RETURN, StreamQuery.ENCODING})
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<TestResult> test(
      @RestPath String name, @Context RoutingContext context, ElementsRequest body) {
    var filterName = new FilterName(name);
    var answer = JsonAnswer.of(context, body, StreamQuery.OF_TEST);
    var asked = body.toBytes(context);
    return rates
        .takeElements(context, filterName, asked.size())
        .chain(() -> elements.test(filterName, asked))
        .map(answer::tested);
  }

  @GET
  @RolesAllowed(Role.READS)
  @Path("/{name}/test")
  @QueryNames(value = StreamQuery.ENCODING, repeated = QueryElements.NAME)
  public Uni<TestResult> testFew(
      @RestPath String name,
      @RestQuery @DefaultValue("utf-8") String encoding,
      @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var asked = QueryElements.all(context, encoding);
    return rates
        .takeElements(context, filterName, asked.size())
        .chain(() -> elements.test(filterName, asked))
        .map(TestResult::flags);
  }
}
