package io.github.bloomgate.http;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.http.stream.KeptRoom;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.http.stream.StreamAnswer;
import io.github.bloomgate.http.stream.StreamBody;
import io.github.bloomgate.http.stream.StreamSlot;
import io.github.bloomgate.http.stream.StreamSlots;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.ElementLines;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests with a stream of elements, one per line. */
@ApplicationScoped
class LineRequests {

  private final StreamSlots slots;
  private final RateLimits rates;
  private final FailureLog failures;
  private final KeptRoom room;
  private final Caller caller;

  LineRequests(
      StreamSlots slots, RateLimits rates, FailureLog failures, KeptRoom room, Caller caller) {
    this.slots = slots;
    this.rates = rates;
    this.failures = failures;
    this.room = room;
    this.caller = caller;
  }

  /**
   * Checks a request, except its lines.
   *
   * @param filter the name in its path
   * @throws BloomException INVALID_REQUEST, NOT_ACCEPTABLE, UNSUPPORTED_FORMAT
   */
  LineRequest open(String filter, InputStream body, HttpHeaders headers, RoutingContext context) {
    var query = ElementsQuery.of(context);
    var returnMode = query.returnMode().orElse(ReturnMode.NONE);
    var answer = StreamAnswer.of(returnMode, headers, context, failures, room);
    var slot = slots.ofLines(caller.client(context));
    var lines =
        StreamBody.lines(
            context,
            headers.getMediaType(),
            body,
            query.encoding().orElse(ElementEncoding.UTF_8),
            rates.batchBytes(slot));
    return new LineRequest(
        lines, returnMode, query.durability(), filter, context, rates, answer, slot);
  }

  /** A request whose lines can be read. */
  record LineRequest(
      ElementLines lines,
      ReturnMode returnMode,
      Durability durability,
      String filter,
      RoutingContext context,
      RateLimits rates,
      StreamAnswer answer,
      StreamSlot slot) {

    /** Slows an operation on batches down to the limits of the client and the filter. */
    Function<List<byte[]>, Uni<Answers>> paced(Function<List<byte[]>, Uni<Answers>> operation) {
      return rates.paced(context, new FilterName(filter), operation);
    }

    /** Does the same for batches that go to the generation that a rebuild loads. */
    Function<List<byte[]>, Uni<Answers>> paced(
        Filter next, Function<List<byte[]>, Uni<Answers>> operation) {
      return rates.paced(context, next, operation);
    }

    /** Runs the stream, see {@link StreamAnswer#run}. */
    Response run(ElementStream stream, Supplier<Object> summary) throws IOException {
      return answer.run(stream, slot, summary);
    }
  }
}
