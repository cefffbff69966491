package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestResponse;

/** Tests one element and answers by the status alone, for proxies. */
@Path("/v1/gate/{name}")
public class GateResource {

  private final ElementService elements;
  private final RateLimits rates;

  GateResource(ElementService elements, RateLimits rates) {
    this.elements = elements;
    this.rates = rates;
  }

  @GET
  @RolesAllowed(Role.READS)
  public Uni<RestResponse<Void>> gate(FilterName name, RoutingContext context) {
    var asked = ElementsQuery.elements(context);
    return rates
        .takeElements(context, name, 1)
        .chain(() -> elements.test(name, asked))
        .map(
            answers ->
                answers.trueCount() == 1
                    ? RestResponse.noContent()
                    : RestResponse.status(RestResponse.Status.FORBIDDEN));
  }
}
