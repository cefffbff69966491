package io.github.bloomgate.http;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.FiltersRequest;
import io.github.bloomgate.http.response.ElementsResult.Operation;
import io.github.bloomgate.http.response.FiltersResult;
import io.github.bloomgate.http.stream.NameLines;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.FilterName;
import io.smallrye.common.annotation.Blocking;
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

/** Adds elements to several filters, and tests them against several. */
@Path("/v1")
public class SeveralFiltersResource {

  private final ElementService elements;
  private final NamedFilters named;
  private final RateLimits rates;
  private final Caller caller;
  private final LineRequests requests;

  SeveralFiltersResource(
      ElementService elements,
      NamedFilters named,
      RateLimits rates,
      Caller caller,
      LineRequests requests) {
    this.elements = elements;
    this.named = named;
    this.rates = rates;
    this.caller = caller;
    this.requests = requests;
  }

  @POST
  @Path("/add")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  public Uni<FiltersResult> add(RoutingContext context, FiltersRequest body) {
    var query = ElementsQuery.of(context);
    var added = body.toBytes(query);
    var ifMissing = named.ifMissing(context, query);
    var filters = named.of(context, body.filters(), added.size());
    return rates
        .takeAdded(context, filters, added.size(), ifMissing)
        .chain(
            () ->
                elements.addToAll(
                    filters, added, query.durability(), ifMissing, caller.client(context)))
        .map(FiltersResult::added);
  }

  @POST
  @Path("/test")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  public Uni<FiltersResult> test(RoutingContext context, FiltersRequest body) {
    var query = ElementsQuery.of(context);
    var asked = body.toBytes(query);
    var filters = named.of(context, body.filters(), asked.size());
    return test(context, filters, asked, query);
  }

  @GET
  @Path("/test")
  @Produces(MediaType.APPLICATION_JSON)
  public Uni<FiltersResult> testFew(RoutingContext context) {
    var query = ElementsQuery.of(context);
    var asked = query.toBytes();
    var filters = named.ofQuery(context, query, asked.size());
    return test(context, filters, asked, query);
  }

  private Uni<FiltersResult> test(
      RoutingContext context, List<FilterName> filters, List<byte[]> asked, ElementsQuery query) {
    var mayBeMissing = query.mayBeMissing();
    return rates
        .takeElements(context, filters, asked.size(), mayBeMissing)
        .chain(
            () ->
                elements.testAll(
                    filters, asked, mayBeMissing, query.maxAge(), caller.client(context)))
        .map(answers -> FiltersResult.tested(filters, asked.size(), answers, mayBeMissing));
  }

  /** Answers each line with the names of the filters that might contain its element. */
  @POST
  @Path("/test")
  @Blocking
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces(LineFormat.NDJSON_TYPE)
  public Response testLines(InputStream body, RoutingContext context) throws IOException {
    var query = ElementsQuery.of(context);
    var mayBeMissing = query.mayBeMissing();
    var client = caller.client(context);
    var filters = named.ofQuery(context, query, 1);
    var request = requests.open(query, new NameLines(filters), body, context);
    if (!mayBeMissing) {
      filters.forEach(name -> elements.tested(name, query.maxAge()));
    }
    return request.run(
        Operation.TEST,
        batch ->
            elements
                .testAll(filters, batch, mayBeMissing, query.maxAge(), client)
                .map(answers -> NameLines.join(filters, answers, batch.size())),
        rates.pace(context, filters, mayBeMissing));
  }
}
