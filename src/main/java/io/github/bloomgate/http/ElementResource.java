package io.github.bloomgate.http;

import io.github.bloomgate.elements.BatchOperation;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.elements.LongAdd;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.http.answer.CountResult;
import io.github.bloomgate.http.answer.ElementsResult;
import io.github.bloomgate.http.answer.ElementsResult.Operation;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;

/** Adds, tests, removes and counts elements: as JSON, and as streams while they arrive. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class ElementResource {

  private final ElementService elements;
  private final LiveFilters live;
  private final LineRequests requests;
  private final RateLimits rates;

  ElementResource(
      ElementService elements, LiveFilters live, LineRequests requests, RateLimits rates) {
    this.elements = elements;
    this.live = live;
    this.requests = requests;
    this.rates = rates;
  }

  @POST
  @Path("/{name}/add")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> add(FilterName name, RoutingContext context, ElementsRequest body) {
    var query = ElementsQuery.of(context);
    var added = body.toBytes(query);
    return rates
        .takeElements(context, name, added.size())
        .chain(() -> elements.add(name, added, query.durability()))
        .map(answers -> ElementsResult.of(Operation.ADD, query, body, answers));
  }

  @POST
  @Path("/{name}/test")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> test(FilterName name, RoutingContext context, ElementsRequest body) {
    var query = ElementsQuery.of(context);
    var asked = body.toBytes(query);
    return rates
        .takeElements(context, name, asked.size())
        .chain(() -> elements.test(name, asked))
        .map(answers -> ElementsResult.of(Operation.TEST, query, body, answers));
  }

  @GET
  @Path("/{name}/test")
  public Uni<ElementsResult> testFew(FilterName name, RoutingContext context) {
    var asked = ElementsQuery.of(context).toBytes();
    return rates
        .takeElements(context, name, asked.size())
        .chain(() -> elements.test(name, asked))
        .map(answers -> ElementsResult.flags(Operation.TEST, answers));
  }

  @POST
  @Path("/{name}/remove")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> remove(FilterName name, RoutingContext context, ElementsRequest body) {
    var query = ElementsQuery.of(context);
    var removed = body.toBytes(query);
    return rates
        .takeElements(context, name, removed.size())
        .chain(() -> elements.remove(name, removed, query.durability()))
        .map(answers -> ElementsResult.of(Operation.REMOVE, query, body, answers));
  }

  @POST
  @Path("/{name}/count")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<CountResult> count(FilterName name, RoutingContext context, ElementsRequest body) {
    var asked = body.toBytes(ElementsQuery.of(context));
    return rates
        .takeElements(context, name, asked.size())
        .chain(() -> elements.count(name, asked))
        .map(CountResult::of);
  }

  /** Without results for each element, acknowledges everything at the end. */
  @POST
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Path("/{name}/add")
  public Response addLines(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var query = ElementsQuery.of(context);
    var request = requests.open(query, body, context);
    var filter = live.get(name).live();
    BatchOperation add =
        request.results() == ReturnMode.NONE
            ? new LongAdd(elements, live, name, query.durability())
            : batch -> elements.add(name, batch, query.durability());
    return request.run(Operation.ADD, add, rates.pace(context, filter));
  }

  /** Removing twice could remove other elements, so nothing is retried at the end. */
  @POST
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Path("/{name}/remove")
  public Response removeLines(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var query = ElementsQuery.of(context);
    var request = requests.open(query, body, context);
    var filter = elements.counting(name);
    return request.run(
        Operation.REMOVE,
        batch -> elements.remove(name, batch, query.durability()),
        rates.pace(context, filter));
  }

  @POST
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Path("/{name}/test")
  public Response testLines(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var request = requests.open(ElementsQuery.of(context), body, context);
    var filter = live.get(name).live();
    return request.run(
        Operation.TEST, batch -> elements.test(name, batch), rates.pace(context, filter));
  }
}
