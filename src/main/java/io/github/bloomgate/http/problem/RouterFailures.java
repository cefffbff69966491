package io.github.bloomgate.http.problem;

import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Sends problem documents for requests that fail before resource matching, such as those without
 * Host. The framework's own response has no body or is HTML.
 */
@Singleton
class RouterFailures {

  private final ProblemWriter problems;

  RouterFailures(ProblemWriter problems) {
    this.problems = problems;
  }

  void register(@Observes Router router) {
    router.route().order(RequestOrder.FAILURES).failureHandler(this::answer);
  }

  private void answer(RoutingContext context) {
    var status = context.statusCode();
    if (status < 400 || status > 499 || context.response().headWritten()) {
      context.next();
      return;
    }
    problems.answer(
        context.response(),
        status == 404
            ? RequestErrors.noSuchResource()
            : RequestErrors.invalid(
                "The request is not well-formed HTTP, or lacks the Host header. Correct it and"
                    + " repeat the request."));
  }
}
