package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.http.answer.AddResult;
import io.github.bloomgate.http.answer.JsonAnswer;
import io.github.bloomgate.http.answer.TestResult;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.DurabilityQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.request.QueryElements;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.StreamQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
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
import java.util.List;
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
import org.jboss.resteasy.reactive.RestQuery;

/** Elements of filters, added and tested. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.ELEMENTS)
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
  @QueryNames({ApiDefinition.RETURN, ApiDefinition.ENCODING, DurabilityQuery.NAME})
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "addElements",
      summary = "Add elements",
      description =
          "Once this is answered with 200, every later test of these elements answers maybe, until"
              + " the content of the filter is deliberately dropped.")
  @RequestBody(ref = ApiDefinition.ELEMENTS_OR_LINES)
  @Parameter(ref = ApiDefinition.RETURN)
  @Parameter(
      name = DurabilityQuery.NAME,
      in = ParameterIn.QUERY,
      description =
          "What the elements must have reached before they are acknowledged: the primary of Redis, or"
              + " as many of its replicas as well as the service is configured to wait for",
      schema =
          @Schema(
              type = SchemaType.STRING,
              enumeration = {"primary", "replicated"},
              defaultValue = "primary"))
  @Parameter(ref = ApiDefinition.ENCODING)
  @APIResponse(responseCode = "200", ref = ApiDefinition.ADDED)
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public Uni<AddResult> add(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Context RoutingContext context,
      ElementsRequest body) {
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
  @QueryNames({ApiDefinition.RETURN, ApiDefinition.ENCODING})
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "testElements",
      summary = "Test elements",
      description = "Asks for each element whether the filter might contain it.")
  @RequestBody(ref = ApiDefinition.ELEMENTS_OR_LINES)
  @Parameter(
      name = "return",
      in = ParameterIn.QUERY,
      description =
          "What is returned: the counts (`summary`), for each element whether it might be contained"
              + " (`flags`), or just the elements that are `present` or `absent`. Of a JSON body in"
              + " JSON, and `flags` if not given; of a stream as lines, those of `flags` being 1 or"
              + " 0, and `summary` if not given",
      schema =
          @Schema(
              type = SchemaType.STRING,
              enumeration = {"summary", "flags", "present", "absent"}))
  @Parameter(ref = ApiDefinition.ENCODING)
  @APIResponse(
      responseCode = "200",
      description = "What `return` asks for",
      content = {
        @Content(
            mediaType = MediaType.APPLICATION_JSON,
            schema = @Schema(implementation = TestResult.class)),
        @Content(mediaType = LineFormat.TEXT_TYPE, schema = @Schema(type = SchemaType.STRING)),
        @Content(mediaType = LineFormat.NDJSON_TYPE, schema = @Schema(type = SchemaType.STRING))
      })
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public Uni<TestResult> test(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Context RoutingContext context,
      ElementsRequest body) {
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
  @QueryNames(value = ApiDefinition.ENCODING, repeated = QueryElements.NAME)
  @Operation(
      operationId = "testFewElements",
      summary = "Test a few elements",
      description =
          "The same for a few elements by their URL. An element's bytes are what its percent"
              + " encoding says; a plus sign stands for a space.")
  @APIResponse(responseCode = "200", description = "For each element whether it might be contained")
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public Uni<TestResult> testFew(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Parameter(
              description = "An element; may be repeated, up to 100 times",
              required = true,
              example = "[\"alice@example.com\"]")
          @RestQuery
          List<String> element,
      @Parameter(ref = ApiDefinition.ENCODING) @RestQuery @DefaultValue("utf-8") String encoding,
      @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var asked = QueryElements.all(context, encoding);
    return rates
        .takeElements(context, filterName, asked.size())
        .chain(() -> elements.test(filterName, asked))
        .map(TestResult::flags);
  }
}
