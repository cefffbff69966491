package io.github.bloomgate.http.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.http.connection.BodyLimit;
import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Sends problem documents for requests that do not reach a resource. */
@Singleton
public class ProblemWriter {

  private final ObjectMapper json;

  ProblemWriter(ObjectMapper json) {
    this.json = json;
  }

  public void answer(RoutingContext context, BloomException error) {
    var response = context.response();
    Problem.headers(error).forEach(response::putHeader);
    if (BodyLimit.hasBody(context)) {
      // The client need not send the rest.
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    response
        .setStatusCode(error.code().status())
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .end(body(error));
  }

  private String body(BloomException error) {
    try {
      return json.writeValueAsString(Problem.of(error)) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("A problem is always writable", impossible);
    }
  }

  /**
   * For requests that fail before resource matching, such as those without Host: the framework's
   * own response has no body or is HTML.
   */
  void register(@Observes Router router) {
    router.route().order(RequestOrder.FAILURES).failureHandler(this::answerFailure);
  }

  private void answerFailure(RoutingContext context) {
    var status = context.statusCode();
    if (status < 400 || status > 499 || context.response().headWritten()) {
      context.next();
      return;
    }
    answer(context, status == 404 ? RequestErrors.noSuchResource() : RequestErrors.malformed());
  }
}
