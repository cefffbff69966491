package io.github.bloomgate.http;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.http.request.StreamQuery;
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
import io.github.bloomgate.model.lines.ElementLines;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Requests whose body is a stream of elements, a line each. */
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
   * Checks all of a request but its lines.
   *
   * @param filter the name in its path
   * @param known the values of {@code return}
   * @throws BloomException INVALID_REQUEST, NOT_ACCEPTABLE, UNSUPPORTED_FORMAT
   */
  LineRequest open(
      String filter,
      InputStream body,
      HttpHeaders headers,
      RoutingContext context,
      Map<String, ReturnMode> known) {
    var query = StreamQuery.read(context, known);
    var answer = StreamAnswer.of(query.returnMode(), headers, context, failures, room);
    var slot = slots.ofLines(caller.client(context));
    var lines =
        StreamBody.lines(
            context, headers.getMediaType(), body, query.encoding(), rates.batchBytes(slot));
    return new LineRequest(filter, context, lines, query, answer, slot);
  }

  /** One of them. */
  final class LineRequest {

    private final String filter;
    private final RoutingContext context;
    private final ElementLines lines;
    private final StreamQuery query;
    private final StreamAnswer answer;
    private final StreamSlot slot;

    private LineRequest(
        String filter,
        RoutingContext context,
        ElementLines lines,
        StreamQuery query,
        StreamAnswer answer,
        StreamSlot slot) {
      this.filter = filter;
      this.context = context;
      this.lines = lines;
      this.query = query;
      this.answer = answer;
      this.slot = slot;
    }

    ElementLines lines() {
      return lines;
    }

    ReturnMode returnMode() {
      return query.returnMode();
    }

    Durability durability() {
      return query.durability();
    }

    /** What is done with batches, as fast as the limits of the client and the filter allow. */
    Function<List<byte[]>, Uni<Answers>> paced(Function<List<byte[]>, Uni<Answers>> operation) {
      return rates.paced(context, new FilterName(filter), operation);
    }

    /** A stream whose batches go to the generation that a rebuild loads. */
    Function<List<byte[]>, Uni<Answers>> paced(
        Filter next, Function<List<byte[]>, Uni<Answers>> operation) {
      return rates.paced(context, next, operation);
    }

    /** Answers it; see {@link StreamAnswer#run}. */
    Response run(ElementStream stream, Supplier<Object> summary) throws IOException {
      return answer.run(stream, slot, summary);
    }
  }
}
