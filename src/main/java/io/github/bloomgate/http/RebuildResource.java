package io.github.bloomgate.http;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.CommitRequest;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.request.FilterChoice;
import io.github.bloomgate.http.request.RebuildRequest;
import io.github.bloomgate.http.response.ElementsResult;
import io.github.bloomgate.http.response.ElementsResult.Operation;
import io.github.bloomgate.http.response.FilterView;
import io.github.bloomgate.http.response.FilterViews;
import io.github.bloomgate.http.response.RebuildView;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.rebuild.Rebuilds;
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
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse;

/** Rebuilds of filters, and the elements that go to a next generation. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class RebuildResource {

  /** Longer than the idle timeout of a connection; each batch renews it. */
  private static final Duration LOAD_IDLE_TIMEOUT = Duration.ofMinutes(2);

  private final Rebuilds rebuilds;
  private final DescriptionService descriptions;
  private final FilterViews views;
  private final LineRequests requests;
  private final RateLimits rates;
  private final Caller caller;
  private final Clock clock;
  private final long usualBound;

  RebuildResource(
      Rebuilds rebuilds,
      DescriptionService descriptions,
      FilterViews views,
      LineRequests requests,
      RateLimits rates,
      Caller caller,
      Clock clock,
      BloomgateConfig config) {
    this.usualBound = config.growth().maxSize().asLongValue();
    this.rebuilds = rebuilds;
    this.descriptions = descriptions;
    this.views = views;
    this.requests = requests;
    this.rates = rates;
    this.caller = caller;
    this.clock = clock;
  }

  @POST
  @Path("/{name}/rebuild")
  @Consumes(MediaType.APPLICATION_JSON)
  public RestResponse<RebuildView> open(
      FilterName name, RebuildRequest body, RoutingContext context) {
    var opened =
        rebuilds.open(name, live -> body.toParameters(live, usualBound), body.idleTimeout());
    return CreatedResponse.of(
        RebuildView.of(RebuildDescription.opened(opened.next())),
        "v1/filters/" + name + "/rebuild",
        context);
  }

  @GET
  @Path("/{name}/rebuild")
  public RebuildView describe(FilterName name, RoutingContext context) {
    return RebuildView.of(descriptions.describeRebuild(name, caller.client(context)));
  }

  @POST
  @Path("/{name}/rebuild/add")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> load(FilterName name, RoutingContext context, ElementsRequest body) {
    var query = ElementsQuery.of(context);
    var elements = body.toBytes(query);
    return rebuilds
        .find(name, query.rebuild())
        .invoke(rebuild -> rates.takeElements(context, List.of(rebuild.next()), elements.size()))
        .chain(rebuild -> rebuild.load(elements, caller.client(context)))
        .map(answers -> ElementsResult.of(Operation.ADD, query, body, answers));
  }

  @POST
  @Path("/{name}/rebuild/add")
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  public Response loadLines(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var query = ElementsQuery.of(context);
    var client = caller.client(context);
    var request = requests.open(query, query.ofStream(), body, context);
    var rebuild = await(rebuilds.find(name, query.rebuild()));
    var next = rebuild.next();
    return request.run(
        Operation.add(next.isCounting()),
        batch -> rebuild.load(batch, client),
        rates.pace(context, List.of(next)));
  }

  @POST
  @Path("/{name}/rebuild/commit")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView commit(FilterName name, RoutingContext context, CommitRequest body) {
    var expiry = body.expiry(clock);
    var rebuild = await(rebuilds.find(name, ElementsQuery.of(context).rebuild()));
    return views.of(descriptions.describeChanged(rebuild.commit(body.atLeast(), expiry)));
  }

  @DELETE
  @Path("/{name}/rebuild")
  public void abort(FilterName name, RoutingContext context) {
    if (!await(rebuilds.find(name, ElementsQuery.of(context).rebuild())).abort()) {
      throw RebuildErrors.notFound(name);
    }
  }

  @PUT
  @Path("/{name}/elements")
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  public FilterView replace(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var query = ApiRequest.query(context);
    var client = caller.client(context);
    var parameters = FilterChoice.of(query);
    var commit = CommitRequest.of(query);
    var request = requests.open(ElementsQuery.of(context), ReturnMode.NONE, body, context);
    var slot = request.slot();
    slot.take();
    try (slot;
        var rebuild =
            rebuilds.open(
                name,
                live -> parameters.toParameters(live, Growth.MAX_SIZE_BYTES),
                LOAD_IDLE_TIMEOUT)) {
      request.stream(
              batch -> rebuild.load(batch, client),
              rates.pace(context, List.of(rebuild.next())),
              (cause, line, applied) ->
                  StreamErrors.stopped(
                      cause, line, null, "the filter keeps its content. Send everything again."))
          .finish();
      return views.of(
          descriptions.describeChanged(rebuild.commit(commit.atLeast(), commit.expiry(clock))));
    }
  }
}
