package io.github.bloomgate.http;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.answer.RebuildView;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.CommitRequest;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.RebuildRequest;
import io.github.bloomgate.http.request.StrictQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.rebuild.Rebuilds;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** New content for a filter that is in use. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.REBUILDS)
public class RebuildResource {

  private final Rebuilds rebuilds;
  private final DescriptionService descriptions;
  private final Caller caller;
  private final Clock clock;
  private final long usualBound;

  RebuildResource(
      Rebuilds rebuilds,
      DescriptionService descriptions,
      Caller caller,
      Clock clock,
      BloomgateConfig config) {
    this.usualBound = config.growth().maxSize().asLongValue();
    this.rebuilds = rebuilds;
    this.descriptions = descriptions;
    this.caller = caller;
    this.clock = clock;
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/rebuild")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "openRebuild",
      summary = "Open a rebuild",
      description =
          "Opens the next generation of a filter, with the same parameters or others. Tests go on"
              + " with what is live; adds go to both before they are answered, so that neither a"
              + " commit nor an abort loses one. Read your source after this is answered with"
              + " `open`, and let writers write it before they add to the filter: what was added"
              + " before the opening is in the new content only if the source has it. Works on a damaged filter too, as its repair.")
  @APIResponse(
      responseCode = "201",
      description = "Opened",
      content = @Content(schema = @Schema(implementation = RebuildView.class)))
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public RestResponse<RebuildView> open(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @RequestBody(required = false) RebuildRequest body,
      @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var request = body == null ? RebuildRequest.SAME : body;
    rebuilds.open(
        filterName,
        live -> request.toParameters(live, usualBound),
        request.patience(),
        caller.quota(context));
    return CreatedAnswer.of(
        RebuildView.of(descriptions.describeRebuild(filterName)),
        "v1/filters/" + filterName + "/rebuild",
        context);
  }

  @GET
  @RolesAllowed(Role.READS)
  @Path("/{name}/rebuild")
  @Operation(
      operationId = "describeRebuild",
      summary = "Watch a rebuild",
      description = "How far the rebuild is, and what the filter would be like with it.")
  @APIResponse(responseCode = "200", description = "The rebuild that is open")
  public RebuildView describe(@Parameter(ref = ApiDefinition.NAME) @RestPath String name) {
    return RebuildView.of(descriptions.describeRebuild(new FilterName(name)));
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/rebuild/commit")
  @QueryNames(ApiDefinition.REBUILD_ID)
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "commitRebuild",
      summary = "Commit a rebuild",
      description =
          "Puts the next generation in the place of the live one, in one step for every reader and"
              + " writer. Refused if nothing was loaded, unless `allowEmpty` says so, and with fewer elements"
              + " than `minElements`.")
  @APIResponse(responseCode = "200", description = "The filter with its new content")
  public FilterView commit(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Parameter(ref = ApiDefinition.REBUILD_ID) @RestQuery Optional<String> id,
      @Context RoutingContext context,
      @RequestBody(required = false) CommitRequest body) {
    var commit = body == null ? CommitRequest.PLAIN : body;
    var deadline = commit.deadline(clock);
    var filterName = new FilterName(name);
    var rebuild =
        await(rebuilds.find(filterName, StrictQuery.value(context, ApiDefinition.REBUILD_ID)));
    rebuild.commit(commit.atLeast(), deadline);
    return FilterView.of(descriptions.describeChanged(filterName));
  }

  @DELETE
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/rebuild")
  @QueryNames(ApiDefinition.REBUILD_ID)
  @Operation(
      operationId = "abortRebuild",
      summary = "Abort a rebuild",
      description = "Frees what was loaded. What is live stays as it is, with every add to it.")
  @APIResponse(responseCode = "204", description = "Aborted")
  public void abort(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Parameter(ref = ApiDefinition.REBUILD_ID) @RestQuery Optional<String> id,
      @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var rebuild =
        await(rebuilds.find(filterName, StrictQuery.value(context, ApiDefinition.REBUILD_ID)));
    if (!rebuild.abort()) {
      throw RebuildErrors.notFound(filterName);
    }
  }
}
