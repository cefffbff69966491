package io.github.bloomgate.http;

import io.github.bloomgate.elements.BatchOperation;
import io.github.bloomgate.http.access.ProxyHeaders;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.limits.RateLimits.Pace;
import io.github.bloomgate.http.limits.StreamSlots;
import io.github.bloomgate.http.limits.StreamSlots.Slot;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.response.ElementsResult;
import io.github.bloomgate.http.response.ElementsResult.Operation;
import io.github.bloomgate.http.stream.BreakableResponses;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.lines.ContentCoding;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.ElementLines;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.lines.Sender;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Requests with a stream of elements, one per line. */
@ApplicationScoped
class LineRequests {

  /** Lines are bytes, so other charsets are mistakes. */
  private static final List<Charset> CHARSETS =
      List.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII);

  /** Lines of results are written one by one. */
  private static final int BUFFER = 1 << 14;

  private final StreamSlots slots;
  private final RateLimits rates;
  private final BreakableResponses responses;

  LineRequests(StreamSlots slots, RateLimits rates, BreakableResponses responses) {
    this.slots = slots;
    this.rates = rates;
    this.responses = responses;
  }

  /**
   * Checks a request, except its lines.
   *
   * @param results what it returns for each line
   * @throws BloomException INVALID_REQUEST, NOT_ACCEPTABLE, UNSUPPORTED_FORMAT
   */
  LineRequest open(
      ElementsQuery query,
      ElementStream.Results results,
      InputStream body,
      RoutingContext context) {
    return new LineRequest(query, results, body, context);
  }

  private static MediaType type(RoutingContext context) {
    return MediaType.valueOf(context.request().getHeader(HttpHeaders.CONTENT_TYPE));
  }

  private static LineFormat format(RoutingContext context) {
    var type = type(context);
    return LineFormat.of(type.getType() + "/" + type.getSubtype())
        .orElseThrow(() -> unsupported(context));
  }

  /** The charset that the client declares; lines of text without one may be any bytes. */
  private static Optional<Charset> charset(RoutingContext context) {
    return Optional.ofNullable(type(context).getParameters().get(MediaType.CHARSET_PARAMETER))
        .map(
            name ->
                CHARSETS.stream()
                    .filter(charset -> charset.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> unsupported(context)));
  }

  private static ContentCoding coding(RoutingContext context) {
    var sent = context.request().headers().getAll(HttpHeaders.CONTENT_ENCODING);
    return ContentCoding.of(sent).orElseThrow(() -> RequestErrors.unsupportedCoding(sent));
  }

  private static BloomException unsupported(RoutingContext context) {
    return RequestErrors.unsupportedType(
        Optional.of(context.request().getHeader(HttpHeaders.CONTENT_TYPE)),
        List.of(LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE));
  }

  /**
   * Some proxies, those written in Go for one, drop the rest of the lines when a response begins,
   * and end the body as if it were complete.
   */
  private static void requireNoProxy(HttpServerRequest request) {
    if (ProxyHeaders.areIn(request)) {
      throw RequestErrors.invalid(
          "The request came through a proxy, which may drop the lines that follow the first results, so it must not have interleave=true. Nothing was done. Leave it out and read the results at the end, or send the request to the service directly.");
    }
    if (request.version() == HttpVersion.HTTP_1_0) {
      throw RequestErrors.invalid(
          "HTTP/1.0 has no response before the end of a request, so it must not have interleave=true. Nothing was done. Leave it out, or use HTTP/1.1.");
    }
  }

  /**
   * A request whose lines can be read, and its response. An error becomes a problem document, as
   * long as the response has not begun. Later it can only break the connection.
   */
  final class LineRequest {

    private final RoutingContext context;
    private final MediaType type;
    private final ElementStream.Results results;
    private final boolean isInterleaved;
    private final Slot slot;
    private final ElementLines lines;

    private LineRequest(
        ElementsQuery query,
        ElementStream.Results results,
        InputStream body,
        RoutingContext context) {
      this.context = context;
      this.type = results.type(type(context));
      this.results = results;
      this.isInterleaved = query.interleave() && results != ReturnMode.NONE;
      ApiRequest.of(context).requireAccepted(type.getType() + "/" + type.getSubtype());
      if (isInterleaved) {
        requireNoProxy(context.request());
      }
      this.slot = slots.ofLines(context);
      var batchBytes = rates.batchBytes(slot);
      // Each element is sent to as many filters, so batches are smaller.
      var filters = results.flagsOfLine();
      var format = format(context);
      this.lines =
          new ElementLines(
              coding(context).decode(body),
              format,
              query.encoding().orElse(ElementEncoding.UTF_8),
              charset(context),
              last -> Math.max(1, batchBytes.applyAsInt(last * filters) / filters),
              isInterleaved ? Sender.WAITING_CLIENT : Sender.CLIENT);
    }

    /** Whether the client gets results before the end, which acknowledge their lines. */
    boolean isInterleaved() {
      return isInterleaved;
    }

    Slot slot() {
      return slot;
    }

    /** A stream of its lines, which has not been read yet. */
    ElementStream stream(BatchOperation work, Pace pace, ElementStream.Stop stop) {
      return new ElementStream(lines, work, pace, stop, results);
    }

    /**
     * Runs the stream to its end or, if it is interleaved, until there are results to send.
     *
     * @throws BloomException the failure of the stream, TOO_MANY_STREAMS or OVERLOADED
     */
    Response run(Operation operation, BatchOperation work, Pace pace) throws IOException {
      var stream = stream(work, pace, operation::stopped);
      if (isInterleaved) {
        return interleaved(stream);
      }
      if (results != ReturnMode.NONE) {
        return whole(stream);
      }
      slot.take();
      try (slot) {
        stream.finish();
      }
      var summary =
          ElementsResult.summary(
              operation, stream.received(), stream.trueCount(), work.replicas(), stream.age());
      return Response.ok(summary, type).build();
    }

    /** Clients may not read before they have sent everything, and many proxies do not. */
    private Response whole(ElementStream stream) throws IOException {
      var kept = responses.keep(context, slot);
      slot.take();
      try (slot) {
        stream.finish(kept);
      }
      return Response.ok(responses.of(kept, kept.finish()), type).build();
    }

    private Response interleaved(ElementStream stream) throws IOException {
      slot.take();
      slot.giveBackAtEnd();
      var first = responses.keep(context, slot);
      var goesOn = true;
      while (goesOn && first.isEmpty()) {
        goesOn = stream.step(first);
      }
      var isAtEnd = !goesOn;
      var body =
          responses.of(
              out -> {
                first.moveTo(out);
                if (!isAtEnd) {
                  goOn(stream, out);
                }
              });
      return Response.ok(body, type).build();
    }

    /** Sends the results so far, even if the rest will be missing. */
    private void goOn(ElementStream stream, OutputStream out) throws IOException {
      var buffer = new BufferedOutputStream(out, BUFFER);
      try {
        stream.finish(buffer);
      } finally {
        buffer.flush();
      }
    }
  }
}
