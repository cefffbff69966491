package io.github.bloomgate.http.access;

import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.http.problem.ProblemWriter;
import io.github.bloomgate.http.security.ApiKey;
import io.github.bloomgate.http.security.ApiKeys;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Requires a key for the metrics. They include all filters, so a key limited to some names may not
 * read them. This is an additional route for the same path as the framework's.
 */
@Singleton
class MetricsAccess {

  private final ApiKeys keys;
  private final ProblemWriter problems;
  private final RefusalMeters meters;

  MetricsAccess(ApiKeys keys, ProblemWriter problems, RefusalMeters meters) {
    this.keys = keys;
    this.problems = problems;
    this.meters = meters;
  }

  void register(@Observes Router router) {
    if (keys.areRequired()) {
      router.route("/q/metrics").order(RequestOrder.METRICS_ACCESS).handler(this::check);
      router.route("/q/metrics/*").order(RequestOrder.METRICS_ACCESS).handler(this::check);
    }
  }

  private void check(RoutingContext context) {
    // Otherwise the framework would answer a failure itself.
    context.remove(QuarkusHttpUser.AUTH_FAILURE_HANDLER);
    QuarkusHttpUser.getSecurityIdentity(context, null)
        .subscribe()
        .with(
            identity -> answer(context, identity),
            failure -> refuse(context, AccessErrors.unknownKey()));
  }

  private void answer(RoutingContext context, SecurityIdentity identity) {
    var key = identity.getCredential(ApiKey.class);
    if (key == null) {
      refuse(context, AccessErrors.missingKey());
    } else if (key.scope().isAll()) {
      context.next();
    } else {
      meters.count(RefusalMeters.Reason.NAME);
      problems.answer(context.response(), AccessErrors.nameForbidden(key.id(), key.scope()));
    }
  }

  private void refuse(RoutingContext context, BloomException error) {
    meters.count(RefusalMeters.Reason.KEY);
    problems.answer(context.response(), error);
  }
}
