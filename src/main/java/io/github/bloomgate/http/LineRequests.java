package io.github.bloomgate.http;

import io.github.bloomgate.elements.BatchOperation;
import io.github.bloomgate.http.answer.ElementsResult;
import io.github.bloomgate.http.answer.ElementsResult.Operation;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.limits.RateLimits.Pace;
import io.github.bloomgate.http.limits.StreamSlots;
import io.github.bloomgate.http.limits.StreamSlots.Slot;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.stream.BreakableAnswers;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.http.stream.KeptRoom;
import io.github.bloomgate.http.stream.LineResults;
import io.github.bloomgate.http.stream.NameLines;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.http.stream.StreamAnswer;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.ContentCoding;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.ElementLines;
import io.github.bloomgate.model.lines.LineFormat;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Requests with a stream of elements, one per line. */
@ApplicationScoped
class LineRequests {

  /** Lines are bytes, so other charsets are mistakes. */
  private static final Set<String> CHARSETS = Set.of("utf-8", "us-ascii");

  private final StreamSlots slots;
  private final RateLimits rates;
  private final KeptRoom room;
  private final BreakableAnswers answers;

  LineRequests(StreamSlots slots, RateLimits rates, KeptRoom room, BreakableAnswers answers) {
    this.slots = slots;
    this.rates = rates;
    this.room = room;
    this.answers = answers;
  }

  /**
   * Checks a request, except its lines.
   *
   * @throws BloomException INVALID_REQUEST, NOT_ACCEPTABLE, UNSUPPORTED_FORMAT
   */
  LineRequest open(ElementsQuery query, InputStream body, RoutingContext context) {
    var returnMode = query.returnMode().orElse(ReturnMode.NONE);
    var type =
        switch (returnMode) {
          case NONE -> MediaType.APPLICATION_JSON_TYPE;
          case FLAGS -> MediaType.valueOf(LineFormat.TEXT_TYPE);
          case LINES_IF_TRUE, LINES_IF_FALSE -> type(context);
        };
    return open(query, returnMode, type, 1, body, context);
  }

  /**
   * Checks a request that tests several filters, except its lines; fails as {@link #open}. Its
   * batches are smaller, because each element is tested in every filter.
   */
  LineRequest openForSeveral(
      List<FilterName> filters, ElementsQuery query, InputStream body, RoutingContext context) {
    var type = MediaType.valueOf(LineFormat.NDJSON_TYPE);
    return open(query, new NameLines(filters), type, filters.size(), body, context);
  }

  private static MediaType type(RoutingContext context) {
    return MediaType.valueOf(context.request().getHeader(HttpHeaders.CONTENT_TYPE));
  }

  private LineRequest open(
      ElementsQuery query,
      LineResults results,
      MediaType type,
      int filters,
      InputStream body,
      RoutingContext context) {
    var hasResults = results != ReturnMode.NONE;
    var answer = new StreamAnswer(hasResults, type, context, room, answers);
    var slot = slots.ofLines(context);
    var batchBytes = rates.batchBytes(slot);
    var format = format(context);
    var coding =
        ContentCoding.ofRequest(context.request().headers().getAll(HttpHeaders.CONTENT_ENCODING));
    var lines =
        new ElementLines(
            coding.decode(body),
            format,
            query.encoding().orElse(ElementEncoding.UTF_8),
            last -> Math.max(1, batchBytes.applyAsInt(last * filters) / filters),
            true);
    return new LineRequest(lines, results, answer, slot);
  }

  private static LineFormat format(RoutingContext context) {
    var type = type(context);
    var charset = type.getParameters().getOrDefault(MediaType.CHARSET_PARAMETER, "utf-8");
    return LineFormat.of(type.getType() + "/" + type.getSubtype())
        .filter(format -> CHARSETS.contains(charset.toLowerCase(Locale.ROOT)))
        .orElseThrow(
            () ->
                RequestErrors.unsupportedType(
                    Optional.of(context.request().getHeader(HttpHeaders.CONTENT_TYPE)),
                    List.of(LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE)));
  }

  /** A request whose lines can be read. */
  record LineRequest(ElementLines lines, LineResults results, StreamAnswer answer, Slot slot) {

    /** Runs a stream of these lines, see {@link StreamAnswer#run}. */
    Response run(Operation operation, BatchOperation work, Pace pace) throws IOException {
      var stream = new ElementStream(lines, work, pace, operation::stopped, results);
      return answer.run(
          stream,
          slot,
          () ->
              ElementsResult.summary(
                  operation, stream.received(), stream.trueCount(), work.replicas()));
    }
  }
}
