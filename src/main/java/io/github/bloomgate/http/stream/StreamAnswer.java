package io.github.bloomgate.http.stream;

import io.github.bloomgate.http.connection.RequestEnd;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.limits.StreamSlots.Slot;
import io.github.bloomgate.http.problem.BodyLimit;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * The response to a stream. Before the first result the status is open, so that an error becomes a
 * problem document. Later an error can only break the connection.
 */
public final class StreamAnswer {

  /** Lines are written one by one. */
  private static final int BUFFER = 1 << 14;

  private final boolean hasResults;
  private final MediaType type;
  private final RoutingContext context;
  private final KeptRoom room;
  private final BreakableAnswers breakable;

  /** The failure after the first results, if any. */
  private BloomException failure;

  /**
   * Creates the response.
   *
   * @param hasResults whether each line has a result
   * @param type its media type
   * @throws BloomException NOT_ACCEPTABLE if the client does not accept it
   */
  public StreamAnswer(
      boolean hasResults,
      MediaType type,
      RoutingContext context,
      KeptRoom room,
      BreakableAnswers breakable) {
    this.breakable = breakable;
    this.room = room;
    this.hasResults = hasResults;
    this.type = type;
    this.context = context;
    ApiRequest.of(context).requireAccepted(type.getType() + "/" + type.getSubtype());
  }

  /**
   * Runs the stream to its end, or until the head of the response is sent. That is with the first
   * results if the client sends without a length, which shows that it can read at the same time.
   * Other clients may not read, and a proxy stops sending when it receives the head, so they get
   * the results at the end.
   *
   * @param slot taken by the stream
   * @param summary the response of a stream without results; computed at the end
   * @throws BloomException the failure of the stream, TOO_MANY_STREAMS or OVERLOADED
   */
  public Response run(ElementStream stream, Slot slot, Supplier<Object> summary)
      throws IOException {
    slot.take();
    var handedOn = false;
    var answers = new SpooledAnswers(context.response(), room);
    try {
      if (!hasResults) {
        stream.finish();
        return Response.ok(summary.get(), type).build();
      }
      var first = new ByteArrayOutputStream();
      var isAtEnd = begin(stream, first, answers);
      if (isAtEnd && failure == null && answers.size() == 0) {
        return whole(first.size(), breakable.of(context, first::writeTo));
      }
      handedOn = true;
      slot.giveBackAtEnd();
      RequestEnd.then(context, answers::close);
      var body =
          breakable.of(
              context,
              out -> {
                try (answers) {
                  answers.begin(out);
                  answers.write(first.toByteArray());
                  if (!isAtEnd) {
                    goOn(stream, answers);
                  }
                  // Sends the results so far, even if the rest will be missing.
                  answers.finish();
                  if (failure != null) {
                    throw failure;
                  }
                } finally {
                  slot.giveBack();
                }
              });
      return isAtEnd && failure == null
          ? whole(answers.size() + first.size(), body)
          : Response.ok(body, type).build();
    } finally {
      if (!handedOn) {
        answers.close();
        slot.giveBack();
      }
    }
  }

  /** Runs until the head of the response must be sent; true if nothing is left then. */
  private boolean begin(ElementStream stream, ByteArrayOutputStream first, SpooledAnswers answers)
      throws IOException {
    var isHttp10 = context.request().version() == HttpVersion.HTTP_1_0;
    var isWhole = isHttp10 || BodyLimit.declaredLength(context).isPresent();
    try {
      while (stream.step(first)) {
        if (!isWhole && first.size() > 0) {
          return false;
        }
        if (first.size() >= BUFFER) {
          if (!answers.spool(ByteBuffer.wrap(first.toByteArray()))) {
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
      if (isHttp10 || answers.size() + first.size() == 0) {
        throw stopped;
      }
      failure = stopped;
    }
    return true;
  }

  private Response whole(long length, StreamingOutput body) {
    return Response.ok(body, type).header(HttpHeaders.CONTENT_LENGTH, length).build();
  }

  private void goOn(ElementStream stream, SpooledAnswers answers) throws IOException {
    var buffer = new BufferedOutputStream(answers, BUFFER);
    try {
      do {
        if (stream.mayWait()) {
          // A client may wait for all its results before it sends more.
          buffer.flush();
          while (answers.size() > 0 && stream.mayWait()) {
            answers.catchUp();
          }
        }
      } while (stream.step(buffer));
    } catch (BloomException stopped) {
      failure = stopped;
    }
    buffer.flush();
  }
}
