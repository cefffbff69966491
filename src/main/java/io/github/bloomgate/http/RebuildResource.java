package io.github.bloomgate.http;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.answer.RebuildView;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.CommitRequest;
import io.github.bloomgate.http.request.RebuildRequest;
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
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** Rebuilds of filters. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class RebuildResource {

  /** The parameter with the id of a rebuild. */
  private static final String ID = "id";

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
  public RestResponse<RebuildView> open(
      @RestPath String name, RebuildRequest body, @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var request = body == null ? RebuildRequest.SAME : body;
    rebuilds.open(
        filterName,
        live -> request.toParameters(live, usualBound),
        request.idleTimeout(),
        caller.quota(context));
    return CreatedAnswer.of(
        RebuildView.of(descriptions.describeRebuild(filterName)),
        "v1/filters/" + filterName + "/rebuild",
        context);
  }

  @GET
  @RolesAllowed(Role.READS)
  @Path("/{name}/rebuild")
  public RebuildView describe(@RestPath String name) {
    return RebuildView.of(descriptions.describeRebuild(new FilterName(name)));
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/rebuild/commit")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView commit(
      @RestPath String name, @Context RoutingContext context, CommitRequest body) {
    var commit = body == null ? CommitRequest.PLAIN : body;
    var deadline = commit.deadline(clock);
    var filterName = new FilterName(name);
    var rebuild = await(rebuilds.find(filterName, ApiRequest.query(context).text(ID)));
    return FilterView.of(descriptions.describeChanged(rebuild.commit(commit.atLeast(), deadline)));
  }

  @DELETE
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/rebuild")
  public void abort(@RestPath String name, @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var rebuild = await(rebuilds.find(filterName, ApiRequest.query(context).text(ID)));
    if (!rebuild.abort()) {
      throw RebuildErrors.notFound(filterName);
    }
  }
}
