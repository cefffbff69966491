package io.github.bloomgate.http.problem;

import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.model.error.RequestErrors;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Refuses matrix parameters. The framework cuts them off, so that "a;b" would name filter "a". */
@Singleton
class StrictPath {

  private final ProblemWriter problems;

  StrictPath(ProblemWriter problems) {
    this.problems = problems;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, RequestOrder.PATH);
  }

  private void check(RoutingContext context) {
    var path = context.request().path();
    if (path == null || path.indexOf(';') < 0) {
      context.next();
      return;
    }
    problems.answer(context.response(), RequestErrors.noSuchResource());
  }
}
