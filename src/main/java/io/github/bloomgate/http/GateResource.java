package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.elements.Flags;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.GateQuery;
import io.github.bloomgate.http.response.ElementsResult;
import io.github.bloomgate.model.FilterName;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Collection;
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse;

/** Tests one element and answers by the status alone, for proxies. */
@Path("/v1")
public class GateResource {

  /** The age of an answer in seconds, if the request has a maxAge. */
  private static final String AGE = "Bloomgate-Age";

  private final ElementService elements;
  private final NamedFilters named;
  private final RateLimits rates;
  private final Caller caller;

  GateResource(ElementService elements, NamedFilters named, RateLimits rates, Caller caller) {
    this.elements = elements;
    this.named = named;
    this.rates = rates;
    this.caller = caller;
  }

  @GET
  @Path("/gate/{name}")
  public Uni<RestResponse<Void>> gate(FilterName name, RoutingContext context) {
    var gate = GateQuery.of(context);
    return rates
        .takeElements(context, List.of(name), 1, false)
        .chain(
            () ->
                elements.test(
                    name, gate.element(), gate.elements().maxAge(), caller.client(context)))
        .invoke(answers -> sendAge(context, List.of(answers)))
        .map(answers -> answer(gate.passes(answers.trueCount() == 1)));
  }

  @GET
  @Path("/gate")
  public Uni<RestResponse<Void>> gateOfSeveral(RoutingContext context) {
    return passes(context).map(GateResource::answer);
  }

  /** Envoy takes only 200 for a yes. */
  @GET
  @Path("/ext-authz")
  public Uni<RestResponse<Void>> gateForExtAuthz(RoutingContext context) {
    return passes(context).map(mayPass -> mayPass ? RestResponse.ok() : answer(false));
  }

  private Uni<Boolean> passes(RoutingContext context) {
    var gate = GateQuery.of(context);
    var query = gate.elements();
    var filters = named.ofQuery(context, query, 1);
    return rates
        .takeElements(context, filters, 1, query.mayBeMissing())
        .chain(
            () ->
                elements.testAll(
                    filters,
                    gate.element(),
                    query.mayBeMissing(),
                    query.maxAge(),
                    caller.client(context)))
        .invoke(answers -> sendAge(context, answers.values()))
        .map(answers -> gate.passes(mayContain(gate, answers.values())));
  }

  private static void sendAge(RoutingContext context, Collection<Flags> answers) {
    ElementsResult.ageSeconds(answers)
        .ifPresent(age -> context.response().putHeader(AGE, Double.toString(age)));
  }

  /** False if no filter exists, because then nothing contains the element. */
  private static boolean mayContain(GateQuery gate, Collection<Flags> answers) {
    return gate.mustBeInAll()
        ? !answers.isEmpty() && answers.stream().allMatch(some -> some.trueCount() == 1)
        : answers.stream().anyMatch(some -> some.trueCount() == 1);
  }

  private static RestResponse<Void> answer(boolean mayPass) {
    return mayPass ? RestResponse.noContent() : RestResponse.status(RestResponse.Status.FORBIDDEN);
  }
}
