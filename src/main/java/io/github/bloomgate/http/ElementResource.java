package io.github.bloomgate.http;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.BatchOperation;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.elements.LongAdd;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.MissingFilter;
import io.github.bloomgate.filters.MissingFilters;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.response.CountResult;
import io.github.bloomgate.http.response.ElementsResult;
import io.github.bloomgate.http.response.ElementsResult.Operation;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
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
import java.util.List;

/** Adds, tests, removes and counts elements: as JSON, and as streams while they arrive. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class ElementResource {

  private final ElementService elements;
  private final LiveFilters live;
  private final MissingFilters missing;
  private final NamedFilters named;
  private final LineRequests requests;
  private final RateLimits rates;
  private final Caller caller;

  ElementResource(
      ElementService elements,
      LiveFilters live,
      MissingFilters missing,
      NamedFilters named,
      LineRequests requests,
      RateLimits rates,
      Caller caller) {
    this.elements = elements;
    this.live = live;
    this.missing = missing;
    this.named = named;
    this.requests = requests;
    this.rates = rates;
    this.caller = caller;
  }

  @POST
  @Path("/{name}/add")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> add(FilterName name, RoutingContext context, ElementsRequest body) {
    var query = ElementsQuery.of(context);
    var ifMissing = named.ifMissing(context, query);
    var added = body.toBytes(query);
    return rates
        .takeAdded(context, List.of(name), added.size(), ifMissing)
        .chain(
            () -> elements.add(name, added, query.durability(), ifMissing, caller.client(context)))
        .map(answers -> ElementsResult.of(Operation.ADD, query, body, answers));
  }

  @POST
  @Path("/{name}/test")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> test(FilterName name, RoutingContext context, ElementsRequest body) {
    var query = ElementsQuery.of(context);
    var asked = body.toBytes(query);
    return rates
        .takeElements(context, List.of(name), asked.size(), false)
        .chain(() -> elements.test(name, asked, query.maxAge(), caller.client(context)))
        .map(answers -> ElementsResult.of(Operation.TEST, query, body, answers));
  }

  @GET
  @Path("/{name}/test")
  public Uni<ElementsResult> testFew(FilterName name, RoutingContext context) {
    var query = ElementsQuery.of(context);
    var asked = query.toBytes();
    return rates
        .takeElements(context, List.of(name), asked.size(), false)
        .chain(() -> elements.test(name, asked, query.maxAge(), caller.client(context)))
        .map(answers -> ElementsResult.flags(Operation.TEST, answers));
  }

  @POST
  @Path("/{name}/remove")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> remove(FilterName name, RoutingContext context, ElementsRequest body) {
    var query = ElementsQuery.of(context);
    var removed = body.toBytes(query);
    return rates
        .takeElements(context, List.of(name), removed.size(), false)
        .chain(() -> elements.remove(name, removed, query.durability(), caller.client(context)))
        .map(answers -> ElementsResult.of(Operation.REMOVE, query, body, answers));
  }

  @POST
  @Path("/{name}/count")
  @Consumes(MediaType.APPLICATION_JSON)
  public Uni<CountResult> count(FilterName name, RoutingContext context, ElementsRequest body) {
    var asked = body.toBytes(ElementsQuery.of(context));
    return rates
        .takeElements(context, List.of(name), asked.size(), false)
        .chain(() -> elements.count(name, asked, caller.client(context)))
        .map(CountResult::of);
  }

  /** Acknowledges everything at the end, unless results are sent before. */
  @POST
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Path("/{name}/add")
  public Response addLines(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var query = ElementsQuery.of(context);
    var ifMissing = named.ifMissing(context, query);
    var client = caller.client(context);
    var request = requests.open(query, query.ofStream(), body, context);
    var filter =
        ifMissing.isEmpty() ? live.get(name).live() : planned(name, ifMissing.get(), client);
    BatchOperation add =
        request.isInterleaved()
            ? batch -> elements.add(name, batch, query.durability(), ifMissing, client)
            : new LongAdd(elements, live, name, query.durability(), ifMissing, client);
    return request.run(
        Operation.add(filter.isCounting()), add, rates.pace(context, List.of(filter)));
  }

  /** The filter that a stream adds to, which its first batch may create. */
  private Generation planned(FilterName name, MissingFilter like, Client client) {
    return await(missing.foundOrPlanned(List.of(name), like, client)).get(0).live();
  }

  /** Removing twice could remove other elements, so nothing is retried at the end. */
  @POST
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Path("/{name}/remove")
  public Response removeLines(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var query = ElementsQuery.of(context);
    var client = caller.client(context);
    var request = requests.open(query, query.ofStream(), body, context);
    var filter = elements.counting(name);
    return request.run(
        Operation.REMOVE,
        batch -> elements.remove(name, batch, query.durability(), client),
        rates.pace(context, List.of(filter)));
  }

  @POST
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Path("/{name}/test")
  public Response testLines(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var query = ElementsQuery.of(context);
    var maxAge = query.maxAge();
    var client = caller.client(context);
    var request = requests.open(query, query.ofStream(), body, context);
    var filter = elements.tested(name, maxAge);
    return request.run(
        Operation.TEST,
        batch -> elements.test(name, batch, maxAge, client),
        rates.pace(context, List.of(filter)));
  }
}
