package io.github.bloomgate.http;

import io.github.bloomgate.elements.BatchOperation;
import io.github.bloomgate.http.answer.ElementsResult;
import io.github.bloomgate.http.answer.ElementsResult.Operation;
import io.github.bloomgate.http.connection.BodyLimit;
import io.github.bloomgate.http.connection.RequestEnd;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.limits.RateLimits.Pace;
import io.github.bloomgate.http.limits.StreamSlots;
import io.github.bloomgate.http.limits.StreamSlots.Slot;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.stream.BreakableAnswers;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.http.stream.NameLines;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.http.stream.SpooledAnswers;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.ContentCoding;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.ElementLines;
import io.github.bloomgate.model.lines.LineFormat;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Requests with a stream of elements, one per line. */
@ApplicationScoped
class LineRequests {

  /** Lines are bytes, so other charsets are mistakes. */
  private static final Set<String> CHARSETS = Set.of("utf-8", "us-ascii");

  /** Lines of results are written one by one. */
  private static final int BUFFER = 1 << 14;

  private final StreamSlots slots;
  private final RateLimits rates;
  private final BreakableAnswers answers;

  LineRequests(StreamSlots slots, RateLimits rates, BreakableAnswers answers) {
    this.slots = slots;
    this.rates = rates;
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
    return new LineRequest(query, returnMode, type, 1, body, context);
  }

  /**
   * Checks a request that tests several filters, except its lines; fails as {@link #open}. Its
   * batches are smaller, because each element is tested in every filter.
   */
  LineRequest openForSeveral(
      List<FilterName> filters, ElementsQuery query, InputStream body, RoutingContext context) {
    var type = MediaType.valueOf(LineFormat.NDJSON_TYPE);
    return new LineRequest(query, new NameLines(filters), type, filters.size(), body, context);
  }

  private static MediaType type(RoutingContext context) {
    return MediaType.valueOf(context.request().getHeader(HttpHeaders.CONTENT_TYPE));
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

  /**
   * A request whose lines can be read, and its response. Before the first result the status is
   * open, so that an error becomes a problem document. Later an error can only break the
   * connection.
   */
  final class LineRequest {

    private final RoutingContext context;
    private final MediaType type;
    private final ElementStream.Results results;
    private final Slot slot;
    private final ElementLines lines;

    /** The failure after the first results, if any. */
    private BloomException failure;

    /**
     * @param type of the response
     */
    private LineRequest(
        ElementsQuery query,
        ElementStream.Results results,
        MediaType type,
        int filters,
        InputStream body,
        RoutingContext context) {
      this.context = context;
      this.type = type;
      this.results = results;
      ApiRequest.of(context).requireAccepted(type.getType() + "/" + type.getSubtype());
      this.slot = slots.ofLines(context);
      var batchBytes = rates.batchBytes(slot);
      var format = format(context);
      var coding =
          ContentCoding.ofRequest(context.request().headers().getAll(HttpHeaders.CONTENT_ENCODING));
      this.lines =
          new ElementLines(
              coding.decode(body),
              format,
              query.encoding().orElse(ElementEncoding.UTF_8),
              last -> Math.max(1, batchBytes.applyAsInt(last * filters) / filters),
              true);
    }

    ElementStream.Results results() {
      return results;
    }

    Slot slot() {
      return slot;
    }

    /** A stream of its lines, which has not been read yet. */
    ElementStream stream(BatchOperation work, Pace pace, ElementStream.Stop stop) {
      return new ElementStream(lines, work, pace, stop, results);
    }

    /**
     * Runs the stream to its end, or until the head of the response is sent. That is with the first
     * results if the client sends without a length, which shows that it can read at the same time.
     * Other clients may not read, and a proxy stops sending when it receives the head, so they get
     * the results at the end.
     *
     * @throws BloomException the failure of the stream, TOO_MANY_STREAMS or OVERLOADED
     */
    Response run(Operation operation, BatchOperation work, Pace pace) throws IOException {
      var stream = stream(work, pace, operation::stopped);
      slot.take();
      var handedOn = false;
      var spooled = new SpooledAnswers(context.response(), slot);
      try {
        if (results == ReturnMode.NONE) {
          stream.finish();
          var summary =
              ElementsResult.summary(
                  operation, stream.received(), stream.trueCount(), work.replicas());
          return Response.ok(summary, type).build();
        }
        var first = new ByteArrayOutputStream();
        var isAtEnd = begin(stream, first, spooled);
        if (isAtEnd && failure == null && spooled.size() == 0) {
          return whole(first.size(), answers.of(context, first::writeTo));
        }
        handedOn = true;
        slot.giveBackAtEnd();
        RequestEnd.then(context, spooled::close);
        var body =
            answers.of(
                context,
                out -> {
                  try (slot;
                      spooled) {
                    spooled.begin(out);
                    spooled.write(first.toByteArray());
                    if (!isAtEnd) {
                      goOn(stream, spooled);
                    }
                    // Sends the results so far, even if the rest will be missing.
                    spooled.finish();
                    if (failure != null) {
                      throw failure;
                    }
                  }
                });
        return isAtEnd && failure == null
            ? whole(spooled.size() + first.size(), body)
            : Response.ok(body, type).build();
      } finally {
        if (!handedOn) {
          spooled.close();
          slot.close();
        }
      }
    }

    /** Runs until the head of the response must be sent; true if nothing is left then. */
    private boolean begin(ElementStream stream, ByteArrayOutputStream first, SpooledAnswers spooled)
        throws IOException {
      var isHttp10 = context.request().version() == HttpVersion.HTTP_1_0;
      var isWhole = isHttp10 || BodyLimit.declaredLength(context).isPresent();
      try {
        while (stream.step(first)) {
          if (!isWhole && first.size() > 0) {
            return false;
          }
          if (first.size() >= BUFFER) {
            if (!spooled.spool(ByteBuffer.wrap(first.toByteArray()))) {
              if (isHttp10) {
                throw RequestErrors.tooLarge(
                    "There is no room to keep the results until the end of the stream, as HTTP/1.0 requires. The lines received so far were processed. Send fewer lines in one request, or use HTTP/1.1; in nginx, set proxy_http_version 1.1.");
              }
              return false;
            }
            first.reset();
          }
        }
      } catch (BloomException stopped) {
        // A client of HTTP/1.0 would mistake a part of the results for all.
        if (isHttp10 || spooled.size() + first.size() == 0) {
          throw stopped;
        }
        failure = stopped;
      }
      return true;
    }

    private Response whole(long length, StreamingOutput body) {
      return Response.ok(body, type).header(HttpHeaders.CONTENT_LENGTH, length).build();
    }

    private void goOn(ElementStream stream, SpooledAnswers spooled) throws IOException {
      var buffer = new BufferedOutputStream(spooled, BUFFER);
      try {
        do {
          if (stream.mayWait()) {
            // A client may wait for all its results before it sends more.
            buffer.flush();
            while (spooled.size() > 0 && stream.mayWait()) {
              spooled.catchUp();
            }
          }
        } while (stream.step(buffer));
      } catch (BloomException stopped) {
        failure = stopped;
      }
      buffer.flush();
    }
  }
}
