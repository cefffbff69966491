package io.github.bloomgate.http;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.http.answer.AddResult;
import io.github.bloomgate.http.answer.JsonAnswer;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.StreamQuery;
import io.github.bloomgate.http.request.StrictQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.rebuild.Rebuilds;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalInt;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Elements for the next generation of a filter, as JSON or as a stream. */
@Path("/v1/filters")
@Tag(name = ApiDefinition.REBUILDS)
public class LoadResource {

  private final Rebuilds rebuilds;
  private final LineRequests requests;
  private final RateLimits rates;

  LoadResource(Rebuilds rebuilds, LineRequests requests, RateLimits rates) {
    this.rebuilds = rebuilds;
    this.requests = requests;
    this.rates = rates;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/rebuild/add")
  @QueryNames({ApiDefinition.REBUILD_ID, ApiDefinition.RETURN, ApiDefinition.ENCODING})
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "loadElements",
      summary = "Load elements into a rebuild",
      description =
          "Adds elements to the next generation only: tests find them once it is committed.")
  @RequestBody(ref = ApiDefinition.ELEMENTS_OR_LINES)
  @Parameter(ref = ApiDefinition.RETURN)
  @Parameter(ref = ApiDefinition.ENCODING)
  @APIResponse(responseCode = "200", ref = ApiDefinition.ADDED)
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public Uni<Object> load(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Parameter(ref = ApiDefinition.REBUILD_ID) @RestQuery Optional<String> id,
      @Context RoutingContext context,
      ElementsRequest body) {
    var filterName = new FilterName(name);
    var answer = JsonAnswer.of(context, body, StreamQuery.OF_ADD);
    var elements = body.toBytes(context);
    return rebuilds
        .find(filterName, StrictQuery.value(context, ApiDefinition.REBUILD_ID))
        .invoke(rebuild -> rates.takeElements(context, rebuild.next(), elements.size()))
        .chain(rebuild -> rebuild.load(elements))
        .map(answer::added);
  }

  @POST
  @Blocking
  @RolesAllowed(Role.WRITES)
  @Operation(hidden = true)
  @Path("/{name}/rebuild/add")
  @QueryNames({ApiDefinition.REBUILD_ID, ApiDefinition.ENCODING, ApiDefinition.RETURN})
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  public Response loadLines(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var request = requests.open(name, body, headers, context, StreamQuery.OF_ADD);
    var rebuild =
        await(rebuilds.find(filterName, StrictQuery.value(context, ApiDefinition.REBUILD_ID)));
    var stream =
        ElementStream.ofAdds(
            request.lines(), request.paced(rebuild.next(), rebuild::load), request.returnMode());
    return request.run(
        stream,
        () -> AddResult.summary(stream.received(), stream.trueCount(), OptionalInt.empty()));
  }
}
