package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.http.answer.FiltersResult;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.model.FilterName;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestResponse;

/** Tests one element and answers by the status alone, for proxies. */
@Path("/v1/gate")
public class GateResource {

  private final ElementService elements;
  private final NamedFilters named;
  private final RateLimits rates;

  GateResource(ElementService elements, NamedFilters named, RateLimits rates) {
    this.elements = elements;
    this.named = named;
    this.rates = rates;
  }

  @GET
  @Path("/{name}")
  public Uni<RestResponse<Void>> gate(FilterName name, RoutingContext context) {
    var asked = ElementsQuery.of(context).toBytes();
    return rates
        .takeElements(context, name, 1)
        .chain(() -> elements.test(name, asked))
        .map(answers -> answer(answers.trueCount() == 1));
  }

  @GET
  public Uni<RestResponse<Void>> gateOfSeveral(RoutingContext context) {
    var query = ElementsQuery.of(context);
    var asked = query.toBytes();
    var filters = named.ofQuery(context, query, 1);
    var isAll = ApiRequest.query(context).text("match").filter("all"::equals).isPresent();
    return rates
        .takeElements(context, filters, 1, query.mayBeMissing())
        .chain(() -> elements.testAll(filters, asked, query.mayBeMissing()))
        .map(
            answers ->
                answer(
                    isAll ? FiltersResult.isInAll(answers, 0) : FiltersResult.isInAny(answers, 0)));
  }

  private static RestResponse<Void> answer(boolean mayPass) {
    return mayPass ? RestResponse.noContent() : RestResponse.status(RestResponse.Status.FORBIDDEN);
  }
}
