package io.github.bloomgate.http.stream;

import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.http.connection.RequestEnd;
import io.github.bloomgate.http.connection.ResponseStream;
import io.github.bloomgate.http.limits.StreamSlots.Slot;
import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import org.jboss.logging.Logger;

/** Responses that may fail after their head was sent, when only the connection can be broken. */
@Singleton
public class BreakableResponses {

  private static final Logger LOG = Logger.getLogger(BreakableResponses.class);

  private final FailureLog failures;

  BreakableResponses(FailureLog failures) {
    this.failures = failures;
  }

  /**
   * A response that is written by a thread that waits for the client.
   *
   * @param body if it fails after the head was sent, the response is aborted. The framework would
   *     end it normally, and the client would mistake it for a complete one.
   */
  public StreamedResponse of(StreamingOutput body) {
    return new StreamedResponse(
        (context, headers) -> write(context, body, new ResponseStream(context, headers)));
  }

  /**
   * Begins to keep the results of a stream. They are released when the request ends.
   *
   * @throws BloomException OVERLOADED if there is no memory for their response
   */
  public KeptResults keep(RoutingContext context, Slot slot) {
    Exchange.of(context).reserve(KeptResults.IN_MEMORY + KeptResponse.MOST_UNDER_WAY);
    var results = new KeptResults(slot);
    RequestEnd.then(context, results::release);
    return results;
  }

  /**
   * A response with all results of a stream.
   *
   * @param length their bytes
   */
  public StreamedResponse of(KeptResults results, long length) {
    return new StreamedResponse(
        (context, headers) -> new KeptResponse(context, results, length, this).begin());
  }

  private void write(RoutingContext context, StreamingOutput body, OutputStream out) {
    try {
      body.write(out);
      out.close();
    } catch (IOException | RuntimeException | Error failure) {
      abort(context, failure);
    }
  }

  /**
   * Aborts a response.
   *
   * @throws BloomException the failure, if the head was not sent
   */
  void abort(RoutingContext context, Throwable failure) {
    if (failure instanceof IOException) {
      LOG.debugf("The client of a response disconnected: %s", failure.getMessage());
    } else if (!(failure instanceof BloomException failed)) {
      LOG.error("A response was aborted", failure);
    } else if (!context.response().headWritten()) {
      throw failed;
    } else if (failed.code().status() >= 500 && failures.isFirst(failed)) {
      LOG.warnf("A response was aborted with %s: %s", failed.code(), failed.getMessage());
    }
    Exchange.of(context).abort();
  }
}
