package io.github.bloomgate.http;

import io.github.bloomgate.http.answer.SourceView;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.SourceRuns;
import io.github.bloomgate.rebuild.SourceService;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.util.concurrent.CompletionException;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** Rebuilds filters from their sources on request. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class SourceRunResource {

  private final SourceRuns runs;
  private final SourceService sources;

  SourceRunResource(SourceRuns runs, SourceService sources) {
    this.runs = runs;
    this.sources = sources;
  }

  @POST
  @Path("/{name}/rebuild/run")
  @RolesAllowed(Role.ADMINISTERS)
  @Blocking
  public Uni<RestResponse<SourceView>> run(@RestPath String name, @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var isAwaited = ApiRequest.query(context).flag("wait");
    var run = runs.start(filterName);
    if (!isAwaited) {
      return Uni.createFrom().item(answer(filterName, Status.ACCEPTED));
    }
    // It may take hours, during which this request holds no thread.
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
