package io.github.bloomgate.http;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.http.answer.ElementsResult;
import io.github.bloomgate.http.answer.ElementsResult.Operation;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.rebuild.Rebuilds;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
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

/** Loads elements into the next generation of a filter, as JSON or as a stream. */
@Path("/v1/filters")
public class LoadResource {

  private final Rebuilds rebuilds;
  private final LineRequests requests;
  private final RateLimits rates;

  LoadResource(Rebuilds rebuilds, LineRequests requests, RateLimits rates) {
    this.rebuilds = rebuilds;
    this.requests = requests;
    this.rates = rates;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/rebuild/add")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  public Uni<ElementsResult> load(
      @RestPath String name, @Context RoutingContext context, ElementsRequest body) {
    var filterName = new FilterName(name);
    var query = ElementsQuery.of(context);
    var elements = body.toBytes(context);
    return rebuilds
        .find(filterName, query.rebuild())
        .invoke(rebuild -> rates.takeElements(context, rebuild.next(), elements.size()))
        .chain(rebuild -> rebuild.load(elements))
        .map(
            answers ->
                ElementsResult.of(Operation.ADD, query.jsonReturnMode(), body.elements(), answers));
  }

  @POST
  @Blocking
  @RolesAllowed(Role.WRITES)
  @Path("/{name}/rebuild/add")
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  public Response loadLines(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var request = requests.open(name, body, headers, context);
    var rebuild = await(rebuilds.find(filterName, ElementsQuery.of(context).rebuild()));
    var stream =
        ElementStream.ofAdds(
            request.lines(), request.paced(rebuild.next(), rebuild::load), request.returnMode());
    return request.run(
        stream,
        () ->
            ElementsResult.summary(
                Operation.ADD, stream.received(), stream.trueCount(), OptionalInt.empty()));
  }
}
