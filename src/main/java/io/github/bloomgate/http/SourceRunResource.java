package io.github.bloomgate.http;

import io.github.bloomgate.http.answer.SourceView;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.QueryFlag;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.SourceRuns;
import io.github.bloomgate.rebuild.SourceService;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.util.concurrent.CompletionException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Rebuilds of filters from their sources, when asked to. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.REBUILDS)
public class SourceRunResource {

  private final SourceRuns runs;
  private final SourceService sources;

  SourceRunResource(SourceRuns runs, SourceService sources) {
    this.runs = runs;
    this.sources = sources;
  }

  @POST
  @Path("/{name}/rebuild/run")
  @QueryNames(ApiDefinition.WAIT)
  @RolesAllowed(Role.ADMINISTERS)
  @Operation(
      operationId = "runSource",
      summary = "Rebuild a filter from its source now",
      description =
          "Answers at once, and the run goes on: `runningSince` of the source tells while it does,"
              + " and `lastRun` how it ended. With `wait=true` it answers when the run has ended, and"
              + " with the error if it failed; it goes on even if the client does not wait. A run that"
              + " fails leaves the content as it is.")
  @APIResponse(
      responseCode = "202",
      description = "The run is on its way",
      content = @Content(schema = @Schema(implementation = SourceView.class)))
  @APIResponse(
      responseCode = "200",
      description = "With `wait=true`: the filter holds what was read",
      content = @Content(schema = @Schema(implementation = SourceView.class)))
  @APIResponse(responseCode = "502", ref = ApiDefinition.SOURCE_UNREADABLE)
  @Blocking
  public Uni<RestResponse<SourceView>> run(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      @Parameter(ref = ApiDefinition.WAIT) @RestQuery String wait) {
    var filterName = new FilterName(name);
    var isAwaited = QueryFlag.read(ApiDefinition.WAIT, wait);
    var run = runs.start(filterName);
    if (!isAwaited) {
      return Uni.createFrom().item(answer(filterName, Status.ACCEPTED));
    }
    // It may take hours, for which no thread of this request waits.
    return Uni.createFrom()
        .completionStage(run)
        .onFailure(CompletionException.class)
        .transform(Throwable::getCause)
        .emitOn(OwnContext.here())
        .emitOn(OwnContext.workers())
        .map(done -> answer(filterName, Status.OK));
  }

  private RestResponse<SourceView> answer(FilterName name, Status status) {
    var view = SourceView.of(sources.find(name));
    return RestResponse.ResponseBuilder.create(status, view).build();
  }
}
