package io.github.bloomgate.http.stream;

import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.model.error.BloomException;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import org.jboss.logging.Logger;

/** Responses that may fail after their head was sent, when only the connection can be broken. */
@Singleton
public class BreakableAnswers {

  private static final Logger LOG = Logger.getLogger(BreakableAnswers.class);

  private final FailureLog failures;

  BreakableAnswers(FailureLog failures) {
    this.failures = failures;
  }

  /**
   * The body of a response.
   *
   * @param body if it fails, the response is aborted. The framework would end it normally, and the
   *     client would mistake it for a complete one.
   */
  public StreamingOutput of(RoutingContext context, StreamingOutput body) {
    return out -> {
      try {
        body.write(out);
      } catch (IOException clientGone) {
        LOG.debugf("The client of a response disconnected: %s", clientGone.getMessage());
        abort(context);
      } catch (BloomException failed) {
        if (failed.code().status() >= 500 && failures.isFirst(failed)) {
          LOG.warnf("A response was aborted with %s: %s", failed.code(), failed.getMessage());
        }
        abort(context);
      } catch (RuntimeException defect) {
        LOG.error("A response was aborted", defect);
        abort(context);
      }
    };
  }

  /** Blocks until done, because a later write would end the response normally. */
  private static void abort(RoutingContext context) {
    if (context.request().version() == HttpVersion.HTTP_2) {
      context.response().reset(Http2Error.INTERNAL_ERROR.code());
    } else {
      // The end of a reset HTTP/1 response is never reported, so the framework would wait for it at
      // shutdown.
      context.request().connection().close().toCompletionStage().toCompletableFuture().join();
    }
  }
}
