package io.github.bloomgate.http;

import io.github.bloomgate.elements.CounterService;
import io.github.bloomgate.http.answer.CountResult;
import io.github.bloomgate.http.answer.JsonAnswer;
import io.github.bloomgate.http.answer.RemoveResult;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.DurabilityQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.StreamQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

/** Elements of filters that count, removed and counted. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.ELEMENTS)
public class CounterResource {

  private static final String OF_COUNTING =
      "The name of a filter with `counting`. Create the one of the example first, with the body"
          + " `{\"expectedInsertions\": 1000, \"counting\": true}`.";

  private final CounterService counters;
  private final RateLimits rates;

  CounterResource(CounterService counters, RateLimits rates) {
    this.counters = counters;
    this.rates = rates;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/remove")
  @QueryNames({ApiDefinition.RETURN, ApiDefinition.ENCODING, DurabilityQuery.NAME})
  @Operation(
      operationId = "removeElements",
      summary = "Remove elements",
      description =
          "Takes back one add of each element, of a filter that was created with `counting`. An"
              + " element that certainly is not there is answered false, and nothing is changed."
              + " Remove only what was added: an element that was not, but is taken for one that"
              + " was, takes others with it, which are then answered `no`. For the same reason do"
              + " not repeat a request whose outcome is unknown. While a rebuild is open elements"
              + " are removed from the live content only.")
  @RequestBody(ref = ApiDefinition.ELEMENTS_OR_LINES)
  @Parameter(
      name = ApiDefinition.RETURN,
      in = ParameterIn.QUERY,
      description =
          "What is returned: the counts (`summary`), for each element whether it was there"
              + " (`flags`), or just the elements that were (`removed`) or were not (`absent`). Of"
              + " a JSON body in JSON, and `flags` if not given; of a stream as lines, those of"
              + " `flags` being 1 or 0, and `summary` if not given",
      schema =
          @Schema(
              type = SchemaType.STRING,
              enumeration = {"summary", "flags", "removed", "absent"}))
  @Parameter(
      name = DurabilityQuery.NAME,
      in = ParameterIn.QUERY,
      description =
          "What the removal must have reached before it is answered: the primary of Redis, or as"
              + " many of its replicas as well as the service is configured to wait for",
      schema =
          @Schema(
              type = SchemaType.STRING,
              enumeration = {"primary", "replicated"},
              defaultValue = "primary"))
  @Parameter(ref = ApiDefinition.ENCODING)
  @APIResponse(
      responseCode = "200",
      description = "What `return` asks for",
      content = {
        @Content(
            mediaType = MediaType.APPLICATION_JSON,
            schema = @Schema(implementation = RemoveResult.class)),
        @Content(mediaType = LineFormat.TEXT_TYPE, schema = @Schema(type = SchemaType.STRING)),
        @Content(mediaType = LineFormat.NDJSON_TYPE, schema = @Schema(type = SchemaType.STRING))
      })
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public Uni<RemoveResult> remove(
      @Parameter(description = OF_COUNTING, example = ApiDefinition.COUNTING_EXAMPLE) @RestPath
          String name,
      @Context RoutingContext context,
      ElementsRequest body) {
    var filterName = new FilterName(name);
    var answer = JsonAnswer.of(context, body, StreamQuery.OF_REMOVE);
    var durability = DurabilityQuery.of(context);
    var removed = body.toBytes(context);
    return rates
        .takeElements(context, filterName, removed.size())
        .chain(() -> counters.remove(filterName, removed, durability))
        .map(answer::removed);
  }

  @POST
  @RolesAllowed(Role.READS)
  @Path("/{name}/count")
  @QueryNames(ApiDefinition.ENCODING)
  @Operation(
      operationId = "countElements",
      summary = "Count elements",
      description =
          "Tells how often each element was added at most, less how often it was removed, of a"
              + " filter that was created with `counting`. A count of 15 stands for 15 or more.")
  @Parameter(ref = ApiDefinition.ENCODING)
  @APIResponse(
      responseCode = "200",
      description = "For each element how often it was added at most")
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public Uni<CountResult> count(
      @Parameter(description = OF_COUNTING, example = ApiDefinition.COUNTING_EXAMPLE) @RestPath
          String name,
      @Context RoutingContext context,
      ElementsRequest body) {
    var filterName = new FilterName(name);
    var asked = body.toBytes(context);
    return rates
        .takeElements(context, filterName, asked.size())
        .chain(() -> counters.count(filterName, asked))
        .map(CountResult::of);
  }
}
