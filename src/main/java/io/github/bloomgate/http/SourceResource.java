package io.github.bloomgate.http;

import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.SourceView;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.SourceRequest;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.SourceRuns;
import io.github.bloomgate.rebuild.SourceService;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.util.concurrent.CompletionException;
import org.jboss.resteasy.reactive.RestResponse;

/** Sources of filters, and rebuilds from them on request. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class SourceResource {

  private final SourceService sources;
  private final SourceRuns runs;
  private final Caller caller;

  SourceResource(SourceService sources, SourceRuns runs, Caller caller) {
    this.sources = sources;
    this.runs = runs;
    this.caller = caller;
  }

  @PUT
  @Path("/{name}/source")
  @Consumes(MediaType.APPLICATION_JSON)
  public SourceView set(FilterName name, SourceRequest body, RoutingContext context) {
    if (body.redisKey() != null) {
      caller.requireRedisKey(context, body.redisKey());
    }
    return SourceView.of(sources.attach(name, body.toSource()));
  }

  @GET
  @Path("/{name}/source")
  public SourceView describe(FilterName name) {
    return SourceView.of(sources.find(name));
  }

  @DELETE
  @Path("/{name}/source")
  public void remove(FilterName name) {
    sources.detach(name);
  }

  @POST
  @Path("/{name}/rebuild/run")
  @Blocking
  public Uni<RestResponse<SourceView>> run(FilterName name, RoutingContext context) {
    var isAwaited = ApiRequest.query(context).flag("wait");
    var run = runs.start(name);
    if (!isAwaited) {
      return Uni.createFrom().item(answer(name, Status.ACCEPTED));
    }
    // It may take hours, during which this request holds no thread.
    return Uni.createFrom()
        .completionStage(run)
        .onFailure(CompletionException.class)
        .transform(Throwable::getCause)
        .emitOn(OwnContext.workers())
        .map(done -> answer(name, Status.OK));
  }

  private RestResponse<SourceView> answer(FilterName name, Status status) {
    var view = SourceView.of(sources.find(name));
    return RestResponse.ResponseBuilder.create(status, view).build();
  }
}
