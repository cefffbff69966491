package io.github.bloomgate.http;

import io.github.bloomgate.elements.CounterService;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.elements.LongAdd;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.http.LineRequests.LineRequest;
import io.github.bloomgate.http.answer.ElementsResult;
import io.github.bloomgate.http.answer.ElementsResult.Operation;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalInt;
import org.jboss.resteasy.reactive.RestPath;

/**
 * Adds, removes and tests streams of elements while they arrive. The contract combines these
 * operations with those of {@link ElementResource} and {@link CounterResource}, which have other
 * media types.
 */
@Path("/v1/filters")
@Blocking
@Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
@Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
public class StreamResource {

  private final ElementService elements;
  private final CounterService counters;
  private final LiveFilters live;
  private final LineRequests requests;

  StreamResource(
      ElementService elements, CounterService counters, LiveFilters live, LineRequests requests) {
    this.elements = elements;
    this.counters = counters;
    this.live = live;
    this.requests = requests;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/add")
  public Response add(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var request = requests.open(name, body, headers, context);
    elements.requireUsable(filterName);
    if (request.returnMode() == ReturnMode.NONE) {
      return addAll(filterName, request);
    }
    var stream =
        ElementStream.ofAdds(
            request.lines(),
            request.paced(batch -> elements.add(filterName, batch, request.durability())),
            request.returnMode());
    return request.run(stream, () -> null);
  }

  /** Acknowledges everything at the end. */
  private Response addAll(FilterName name, LineRequest request) throws IOException {
    var all = LongAdd.begin(elements, live, name, request.durability());
    var stream = ElementStream.ofOneAdd(request.lines(), request.paced(all::add), all);
    return request.run(
        stream,
        () ->
            ElementsResult.summary(
                Operation.ADD, stream.received(), stream.trueCount(), all.replicas()));
  }

  /** Removing twice could remove other elements, so nothing is retried at the end. */
  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/remove")
  public Response remove(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var request = requests.open(name, body, headers, context);
    counters.requireUsable(filterName);
    var stream =
        ElementStream.ofRemovals(
            request.lines(),
            request.paced(batch -> counters.remove(filterName, batch, request.durability())),
            request.returnMode());
    return request.run(
        stream,
        () ->
            ElementsResult.summary(
                Operation.REMOVE, stream.received(), stream.trueCount(), OptionalInt.empty()));
  }

  @POST
  @RolesAllowed(Role.READS)
  @Path("/{name}/test")
  public Response test(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var request = requests.open(name, body, headers, context);
    elements.requireUsable(filterName);
    var stream =
        ElementStream.ofTests(
            request.lines(),
            request.paced(batch -> elements.test(filterName, batch)),
            request.returnMode());
    return request.run(
        stream,
        () ->
            ElementsResult.summary(
                Operation.TEST, stream.received(), stream.trueCount(), OptionalInt.empty()));
  }
}
