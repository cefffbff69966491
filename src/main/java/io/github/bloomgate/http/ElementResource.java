package io.github.bloomgate.http;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.elements.CounterService;
import io.github.bloomgate.elements.ElementService;
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
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.function.Function;

/** Adds, tests, removes and counts elements. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class ElementResource {

  private final ElementService elements;
  private final CounterService counters;
  private final RateLimits rates;

  ElementResource(ElementService elements, CounterService counters, RateLimits rates) {
    this.elements = elements;
    this.counters = counters;
    this.rates = rates;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/add")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> add(FilterName name, RoutingContext context, ElementsRequest body) {
    var durability = ElementsQuery.of(context).durability();
    return answer(
        Operation.ADD, name, context, body, added -> elements.add(name, added, durability));
  }

  @POST
  @RolesAllowed(Role.READS)
  @Path("/{name}/test")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> test(FilterName name, RoutingContext context, ElementsRequest body) {
    return answer(Operation.TEST, name, context, body, asked -> elements.test(name, asked));
  }

  @GET
  @RolesAllowed(Role.READS)
  @Path("/{name}/test")
  public Uni<ElementsResult> testFew(FilterName name, RoutingContext context) {
    var asked = ElementsQuery.elements(context);
    return rates
        .takeElements(context, name, asked.size())
        .chain(() -> elements.test(name, asked))
        .map(answers -> ElementsResult.flags(Operation.TEST, answers));
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/remove")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> remove(FilterName name, RoutingContext context, ElementsRequest body) {
    var durability = ElementsQuery.of(context).durability();
    return answer(
        Operation.REMOVE,
        name,
        context,
        body,
        removed -> counters.remove(name, removed, durability));
  }

  @POST
  @RolesAllowed(Role.READS)
  @Path("/{name}/count")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<CountResult> count(FilterName name, RoutingContext context, ElementsRequest body) {
    var asked = body.toBytes(context);
    return rates
        .takeElements(context, name, asked.size())
        .chain(() -> counters.count(name, asked))
        .map(CountResult::of);
  }

  private Uni<ElementsResult> answer(
      Operation operation,
      FilterName name,
      RoutingContext context,
      ElementsRequest body,
      Function<List<byte[]>, Uni<Answers>> work) {
    var bytes = body.toBytes(context);
    var returnMode = ElementsQuery.of(context).jsonReturnMode();
    return rates
        .takeElements(context, name, bytes.size())
        .chain(() -> work.apply(bytes))
        .map(answers -> ElementsResult.of(operation, returnMode, body.elements(), answers));
  }
}
