package io.github.bloomgate.http;

import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.SourceRequest;
import io.github.bloomgate.http.response.SourceView;
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
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.RestResponse;

/** Sources of filters, and rebuilds from them on request. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class SourceResource {

  private static final Duration MAX_WAIT = Duration.ofSeconds(50);

  private final SourceService sources;
  private final SourceRuns runs;
  private final Caller caller;

  /** Shorter than the time after which an idle connection is closed, here or by most proxies. */
  private final Duration longestWait;

  SourceResource(
      SourceService sources,
      SourceRuns runs,
      Caller caller,
      @ConfigProperty(name = "quarkus.http.idle-timeout") Duration idleTimeout) {
    this.sources = sources;
    this.runs = runs;
    this.caller = caller;
    this.longestWait = MAX_WAIT.compareTo(idleTimeout) < 0 ? MAX_WAIT : idleTimeout.dividedBy(2);
  }

  @PUT
  @Path("/{name}/source")
  @Consumes(MediaType.APPLICATION_JSON)
  public SourceView set(FilterName name, SourceRequest body, RoutingContext context) {
    if (body.redisKey() != null) {
      caller.requireName(context, body.redisKey());
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
    // This request holds no thread.
    return Uni.createFrom()
        .completionStage(run)
        .onFailure(CompletionException.class)
        .transform(Throwable::getCause)
        .map(done -> Status.OK)
        .ifNoItem()
        .after(longestWait)
        .recoverWithItem(Status.ACCEPTED)
        .emitOn(OwnContext.workers())
        .map(status -> answer(name, status));
  }

  private RestResponse<SourceView> answer(FilterName name, Status status) {
    var view = SourceView.of(sources.find(name));
    return RestResponse.ResponseBuilder.create(status, view).build();
  }
}
