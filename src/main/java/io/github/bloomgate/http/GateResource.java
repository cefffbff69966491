package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.problem.Problem;
import io.github.bloomgate.http.request.QueryElements;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** One element, answered by the status alone, as proxies ask it. */
@Path("/v1/gate/{name}")
@Tag(name = ApiDefinition.ELEMENTS)
public class GateResource {

  private final ElementService elements;
  private final RateLimits rates;

  GateResource(ElementService elements, RateLimits rates) {
    this.elements = elements;
    this.rates = rates;
  }

  @GET
  @RolesAllowed(Role.READS)
  @QueryNames({QueryElements.NAME, ApiDefinition.ENCODING})
  @Operation(
      operationId = "gate",
      summary = "Let pass or refuse",
      description =
          "For nginx `auth_request`, Envoy and Traefik: the status says whether the filter might"
              + " contain the element. Any other status is an error, not an answer.")
  @APIResponse(responseCode = "204", description = "The filter might contain it: let pass")
  @APIResponse(
      responseCode = "403",
      description =
          "The filter certainly does not contain it. With a body it is no answer but the error"
              + " `FORBIDDEN`.",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public Uni<RestResponse<Void>> gate(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Parameter(description = "The element", required = true, example = "alice@example.com")
          @RestQuery
          String element,
      @Parameter(ref = ApiDefinition.ENCODING) @RestQuery @DefaultValue("utf-8") String encoding,
      @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var asked = QueryElements.one(context, encoding);
    return rates
        .takeElements(context, filterName, 1)
        .chain(() -> elements.test(filterName, List.of(asked)))
        .map(
            answers ->
                answers.trueCount() == 1
                    ? RestResponse.noContent()
                    : RestResponse.status(RestResponse.Status.FORBIDDEN));
  }
}
