package io.github.bloomgate.http;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterListView;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.answer.PolledAnswers;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.Cursor;
import io.github.bloomgate.http.request.QueryFlag;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.QueryNumber;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** What filters there are and how they are, for those who look again and again. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.FILTERS)
public class DescriptionResource {

  private static final String FIGURES = "figures";
  private static final long MAX_PAGE = 1_000;
  private static final long DEFAULT_PAGE = 50;

  private final DescriptionService descriptions;
  private final Caller caller;
  private final PolledAnswers answers;

  DescriptionResource(DescriptionService descriptions, Caller caller, PolledAnswers answers) {
    this.descriptions = descriptions;
    this.caller = caller;
    this.answers = answers;
  }

  @GET
  @RolesAllowed(Role.READS)
  @QueryNames({"prefix", "limit", "cursor", FIGURES})
  @Operation(
      operationId = "listFilters",
      summary = "List filters",
      description =
          "Pages through the filters whose names the key may use, in the order of their names.")
  @APIResponse(
      responseCode = "200",
      description = "A page of filters",
      content = @Content(schema = @Schema(implementation = FilterListView.class)))
  @APIResponse(responseCode = "304", description = ApiDefinition.NOT_MODIFIED)
  public Response list(
      @Parameter(description = "What the names begin with") @RestQuery @DefaultValue("")
          String prefix,
      @Parameter(
              description = "The most filters to return",
              schema =
                  @Schema(
                      type = SchemaType.INTEGER,
                      minimum = "1",
                      maximum = "1000",
                      defaultValue = "50"))
          @RestQuery
          String limit,
      @Parameter(description = "The `nextCursor` of the page before") @RestQuery
          Optional<String> cursor,
      @Parameter(
              name = FIGURES,
              description = "Whether to tell of each how full it is and what goes on with it",
              schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
          @RestQuery(FIGURES)
          String figures,
      @Context RoutingContext context) {
    var pageSize = QueryNumber.integer("limit", limit, 1, MAX_PAGE).orElse(DEFAULT_PAGE).intValue();
    var names = caller.scope(context).within(prefix);
    var question =
        new ListQuestion(
            names, cursor.map(Cursor::parse), pageSize, QueryFlag.read(FIGURES, figures));
    return answers.answer(context, question, () -> FilterListView.of(page(question)));
  }

  private FilterPage page(ListQuestion question) {
    return question.withFigures
        ? descriptions.listWithFigures(question.prefixes, question.after, question.limit)
        : descriptions.list(question.prefixes, question.after, question.limit);
  }

  @GET
  @RolesAllowed(Role.READS)
  @Path("/{name}")
  @Operation(
      operationId = "describeFilter",
      summary = "Describe a filter",
      description = "What it was created with, what it holds, and what that amounts to.")
  @APIResponse(
      responseCode = "200",
      description = "The filter",
      content = @Content(schema = @Schema(implementation = FilterView.class)))
  @APIResponse(responseCode = "304", description = ApiDefinition.NOT_MODIFIED)
  public Response describe(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name, @Context RoutingContext context) {
    var filterName = new FilterName(name);
    return answers.answer(
        context, filterName, () -> FilterView.of(descriptions.describe(filterName)));
  }

  @HEAD
  @RolesAllowed(Role.READS)
  @Path("/{name}")
  @Operation(
      operationId = "probeFilter",
      summary = "Probe a filter",
      description = "Whether it is there and whole; answers like the description, without a body.")
  @APIResponse(responseCode = "200", description = "It is")
  @APIResponse(responseCode = "304", description = ApiDefinition.NOT_MODIFIED)
  @APIResponse(responseCode = "400", description = "No filter can have this name")
  @APIResponse(responseCode = "404", description = "There is no such filter")
  @APIResponse(responseCode = "409", description = "Something else wrote to its Redis key")
  @APIResponse(responseCode = "410", description = "Part of it is missing in Redis")
  public Response probe(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name, @Context RoutingContext context) {
    return describe(name, context);
  }

  /** All that a page of the list depends on; the names are those that the key may see. */
  private record ListQuestion(
      List<String> prefixes, Optional<FilterName> after, int limit, boolean withFigures) {}
}
