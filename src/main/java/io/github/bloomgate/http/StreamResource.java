package io.github.bloomgate.http;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.CounterService;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.elements.LongAdds;
import io.github.bloomgate.http.answer.AddResult;
import io.github.bloomgate.http.answer.RemoveResult;
import io.github.bloomgate.http.answer.TestResult;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.http.request.DurabilityQuery;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.StreamQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.http.stream.StreamAnswer;
import io.github.bloomgate.http.stream.StreamBody;
import io.github.bloomgate.http.stream.StreamSlot;
import io.github.bloomgate.http.stream.StreamSlots;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.ElementLines;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestPath;

/**
 * Streams of elements, added, removed and tested while they arrive. In the contract they are one
 * operation with those of {@link ElementResource} and {@link CounterResource}, of other media
 * types.
 */
@Path("/v1/filters")
@Blocking
@Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
@Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
public class StreamResource {

  private final ElementService elements;
  private final CounterService counters;
  private final LongAdds longAdds;
  private final StreamSlots slots;
  private final RateLimits rates;
  private final FailureLog failures;

  StreamResource(
      ElementService elements,
      CounterService counters,
      LongAdds longAdds,
      StreamSlots slots,
      RateLimits rates,
      FailureLog failures) {
    this.failures = failures;
    this.elements = elements;
    this.counters = counters;
    this.longAdds = longAdds;
    this.slots = slots;
    this.rates = rates;
  }

  @POST
  @RolesAllowed(Role.WRITES)
  @Operation(hidden = true)
  @Path("/{name}/add")
  @QueryNames({ApiDefinition.ENCODING, ApiDefinition.RETURN, DurabilityQuery.NAME})
  public Response add(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var query = StreamQuery.read(context, StreamQuery.OF_ADD);
    var answer = StreamAnswer.of(query.returnMode(), headers, context, failures);
    var slot = slots.ofLines();
    var lines =
        StreamBody.lines(
            context.request(),
            headers.getMediaType(),
            body,
            query.encoding(),
            rates.batchBytes(slot));
    await(elements.requireUsable(filterName));
    if (query.returnMode() == ReturnMode.NONE) {
      return addAll(filterName, lines, query.durability(), answer, slot, context);
    }
    var stream =
        ElementStream.ofAdds(
            lines,
            rates.paced(
                context, name, batch -> elements.add(filterName, batch, query.durability())),
            query.returnMode());
    return answer.run(stream, slot, () -> null);
  }

  /** Nothing is acknowledged before the end, and then all of it. */
  private Response addAll(
      FilterName name,
      ElementLines lines,
      Durability durability,
      StreamAnswer answer,
      StreamSlot slot,
      RoutingContext context)
      throws IOException {
    try (var all = longAdds.begin(name, durability)) {
      var stream = ElementStream.ofOneAdd(lines, rates.paced(context, name.value(), all::add), all);
      return answer.run(
          stream,
          slot,
          () -> AddResult.summary(stream.received(), stream.trueCount(), all.replicas()));
    }
  }

  /** What is removed twice may take away others, so nothing is done again at the end. */
  @POST
  @RolesAllowed(Role.WRITES)
  @Operation(hidden = true)
  @Path("/{name}/remove")
  @QueryNames({ApiDefinition.ENCODING, ApiDefinition.RETURN, DurabilityQuery.NAME})
  public Response remove(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var query = StreamQuery.read(context, StreamQuery.OF_REMOVE);
    var answer = StreamAnswer.of(query.returnMode(), headers, context, failures);
    var slot = slots.ofLines();
    var lines =
        StreamBody.lines(
            context.request(),
            headers.getMediaType(),
            body,
            query.encoding(),
            rates.batchBytes(slot));
    await(counters.requireUsable(filterName));
    var stream =
        ElementStream.ofRemovals(
            lines,
            rates.paced(
                context, name, batch -> counters.remove(filterName, batch, query.durability())),
            query.returnMode());
    return answer.run(
        stream,
        slot,
        () -> RemoveResult.summary(stream.received(), stream.trueCount(), OptionalInt.empty()));
  }

  @POST
  @RolesAllowed(Role.READS)
  @Operation(hidden = true)
  @Path("/{name}/test")
  @QueryNames({ApiDefinition.ENCODING, ApiDefinition.RETURN})
  public Response test(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var query = StreamQuery.read(context, StreamQuery.OF_TEST);
    var answer = StreamAnswer.of(query.returnMode(), headers, context, failures);
    var slot = slots.ofLines();
    var lines =
        StreamBody.lines(
            context.request(),
            headers.getMediaType(),
            body,
            query.encoding(),
            rates.batchBytes(slot));
    await(elements.requireUsable(filterName));
    var stream =
        ElementStream.ofTests(
            lines,
            rates.paced(context, name, batch -> elements.test(filterName, batch)),
            query.returnMode());
    return answer.run(
        stream, slot, () -> TestResult.summary(stream.received(), stream.trueCount()));
  }
}
