package io.github.bloomgate.api;

import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.service.ElementService;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** One element, answered by the status alone, as proxies ask it. */
@Path("/v1/gate/{name}")
@Tag(name = ApiDefinition.ELEMENTS)
@APIResponse(responseCode = "500", ref = ApiDefinition.INTERNAL)
@APIResponse(responseCode = "503", ref = ApiDefinition.UNAVAILABLE)
public class GateResource {

  private final ElementService elements;

  GateResource(ElementService elements) {
    this.elements = elements;
  }

  @GET
  @Operation(
      operationId = "gate",
      summary = "Let pass or refuse",
      description =
          "For nginx `auth_request`, Envoy and Traefik: the status says whether the filter might"
              + " contain the element. Any other status is an error, not an answer.")
  @APIResponse(responseCode = "204", description = "The filter might contain it: let pass")
  @APIResponse(responseCode = "403", description = "The filter certainly does not contain it")
  @APIResponse(responseCode = "400", ref = ApiDefinition.INVALID_REQUEST)
  @APIResponse(responseCode = "404", ref = ApiDefinition.NOT_FOUND)
  @APIResponse(responseCode = "409", ref = ApiDefinition.CONFLICT)
  @APIResponse(responseCode = "410", ref = ApiDefinition.DAMAGED)
  public Uni<RestResponse<Void>> gate(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Parameter(description = "The element", required = true, example = "alice@example.com")
          @RestQuery
          String element,
      @Parameter(ref = ApiDefinition.ENCODING) @RestQuery @DefaultValue("utf-8") String encoding,
      @Context HttpServerRequest request) {
    return elements
        .test(new FilterName(name), List.of(QueryElements.one(request, encoding)))
        .map(
            answers ->
                answers.trueCount() == 1
                    ? RestResponse.noContent()
                    : RestResponse.status(RestResponse.Status.FORBIDDEN));
  }
}
