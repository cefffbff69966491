package io.github.bloomgate.http.stream;

import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.http.problem.MediaTypes;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.LineFormat;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * How a stream is answered. Until there is something to return the status is open, so that an error
 * becomes a problem document. Later the only way to tell of one is to break the connection off.
 */
public final class StreamAnswer {

  private static final Logger LOG = Logger.getLogger(StreamAnswer.class);

  private final ReturnMode returnMode;
  private final MediaType type;
  private final RoutingContext context;
  private final FailureLog failures;

  private StreamAnswer(
      ReturnMode returnMode, MediaType type, RoutingContext context, FailureLog failures) {
    this.failures = failures;
    this.returnMode = returnMode;
    this.type = type;
    this.context = context;
  }

  /**
   * The answer of a request that returns so much.
   *
   * @throws BloomException NOT_ACCEPTABLE if the client does not accept their media type;
   *     UNSUPPORTED_FORMAT if it shall have its own lines back and does not tell what they are
   */
  public static StreamAnswer of(
      ReturnMode returnMode, HttpHeaders headers, RoutingContext context, FailureLog failures) {
    var type =
        switch (returnMode) {
          case NONE -> MediaType.APPLICATION_JSON_TYPE;
          case FLAGS -> MediaType.valueOf(LineFormat.TEXT_TYPE);
          case LINES_IF_TRUE, LINES_IF_FALSE ->
              Optional.ofNullable(headers.getMediaType())
                  .orElseThrow(
                      () ->
                          RequestErrors.unsupportedType(
                              Optional.empty(),
                              List.of(LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE)));
        };
    if (headers.getAcceptableMediaTypes().stream().noneMatch(type::isCompatible)) {
      throw MediaTypes.notAcceptable(context, List.of(type.getType() + "/" + type.getSubtype()));
    }
    return new StreamAnswer(returnMode, type, context, failures);
  }

  /**
   * Runs the stream: to its end, or until the head of the answer is due.
   *
   * @param slot that the stream takes
   * @param summary the answer of a stream that returns nothing else; taken at the end
   * @throws BloomException what the stream fails with, TOO_MANY_STREAMS or OVERLOADED
   */
  public Response run(ElementStream stream, StreamSlot slot, Supplier<Object> summary)
      throws IOException {
    slot.take();
    var handedOn = false;
    try {
      var first = new ByteArrayOutputStream();
      var goesOn = stream.step(first);
      while (goesOn && first.size() == 0) {
        goesOn = stream.step(first);
      }
      if (returnMode == ReturnMode.NONE) {
        return Response.ok(summary.get(), type).build();
      }
      StreamingOutput body = out -> whole(first, out);
      if (goesOn) {
        handedOn = true;
        body = out -> goOn(stream, first, out, slot);
        slot.giveBackAtEnd(context);
      }
      return Response.ok(body, type).build();
    } finally {
      if (!handedOn) {
        slot.giveBack();
      }
    }
  }

  private void whole(ByteArrayOutputStream first, OutputStream out) {
    try {
      first.writeTo(out);
    } catch (IOException gone) {
      breakOff(gone);
    }
  }

  private void goOn(
      ElementStream stream, ByteArrayOutputStream first, OutputStream out, StreamSlot slot) {
    try {
      first.writeTo(out);
      while (stream.step(out)) {}
    } catch (BloomException failure) {
      if (failure.code().status() >= 500 && failures.isFirst(failure)) {
        LOG.warnf("A stream failed with %s: %s", failure.code(), failure.getMessage());
      }
      // ReturnMode on what was done are the client's to know, although no more will come.
      flush(out);
      BrokenAnswer.end(context);
    } catch (IOException gone) {
      breakOff(gone);
    } finally {
      slot.giveBack();
    }
  }

  private static void flush(OutputStream out) {
    try {
      out.flush();
    } catch (IOException gone) {
      LOG.debugf("The client of a stream that failed has gone: %s", gone.getMessage());
    }
  }

  /** What is read fails in another way, so the client has gone; that is no defect. */
  private void breakOff(IOException gone) {
    LOG.debugf("The client of a stream has gone: %s", gone.getMessage());
    BrokenAnswer.end(context);
  }
}
