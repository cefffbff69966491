package io.github.bloomgate.http;

import io.github.bloomgate.elements.CounterService;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.elements.LongAdd;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.http.answer.ElementsResult.Operation;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.http.stream.ElementStream.Stop;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;

/**
 * Adds, removes and tests streams of elements while they arrive. In the contract, they are the same
 * operations as in {@link ElementResource}, with other media types.
 */
@Path("/v1/filters")
@Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
@Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
public class StreamResource {

  private final ElementService elements;
  private final CounterService counters;
  private final LiveFilters live;
  private final LineRequests requests;
  private final RateLimits rates;

  StreamResource(
      ElementService elements,
      CounterService counters,
      LiveFilters live,
      LineRequests requests,
      RateLimits rates) {
    this.elements = elements;
    this.counters = counters;
    this.live = live;
    this.requests = requests;
    this.rates = rates;
  }

  /** Without results for each element, acknowledges everything at the end. */
  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/add")
  public Response add(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var request = requests.open(body, context);
    elements.requireUsable(name);
    if (request.returnMode() != ReturnMode.NONE) {
      return request.run(
          Operation.ADD,
          Stop.OF_ADDS,
          rates.paced(context, name, batch -> elements.add(name, batch, request.durability())));
    }
    var all = LongAdd.begin(elements, live, name, request.durability());
    var stream =
        new ElementStream(
            request.lines(),
            rates.paced(context, name, all::add),
            Stop.OF_ADDS,
            ReturnMode.NONE,
            all::acknowledge,
            all::acknowledgePart);
    return request.run(Operation.ADD, stream, all::replicas);
  }

  /** Removing twice could remove other elements, so nothing is retried at the end. */
  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/remove")
  public Response remove(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var request = requests.open(body, context);
    counters.requireUsable(name);
    return request.run(
        Operation.REMOVE,
        Stop.OF_REMOVALS,
        rates.paced(context, name, batch -> counters.remove(name, batch, request.durability())));
  }

  @POST
  @RolesAllowed(Role.READS)
  @Path("/{name}/test")
  public Response test(FilterName name, InputStream body, RoutingContext context)
      throws IOException {
    var request = requests.open(body, context);
    elements.requireUsable(name);
    return request.run(
        Operation.TEST,
        Stop.OF_TESTS,
        rates.paced(context, name, batch -> elements.test(name, batch)));
  }
}
