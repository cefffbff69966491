package io.github.bloomgate.http.problem;

import io.github.bloomgate.http.connection.RequestTurns;
import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.model.error.RequestErrors;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Refuses a transfer coding other than {@code chunked}, and all that follows on its connection. The
 * framework sees no body, and would take it for further requests, which a proxy in front let pass
 * as a body.
 */
@Singleton
class StrictTransfer {

  private final ProblemWriter problems;

  StrictTransfer(ProblemWriter problems) {
    this.problems = problems;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, RequestOrder.TRANSFER);
  }

  private void check(RoutingContext context) {
    List<String> codings = context.request().headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    if (codings.isEmpty() || (codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked"))) {
      context.next();
      return;
    }
    RequestTurns.endAfterThis(context.request());
    problems.answer(
        context.response(),
        RequestErrors.invalid(
            "The request has a Transfer-Encoding other than chunked. Send the body with a"
                + " Content-Length or in chunks, and compressed with Content-Encoding: gzip."));
  }
}
