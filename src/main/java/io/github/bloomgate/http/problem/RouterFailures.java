package io.github.bloomgate.http.problem;

import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Answers requests that fail before a resource is looked for, such as one without Host, with a
 * problem document. The framework's own answer has no body, or is a page for people.
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
