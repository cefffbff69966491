package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.threads.Joined;
import io.github.bloomgate.threads.OwnContext;
import io.github.bloomgate.threads.SharedTasks;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;

/**
 * Keeps filters that expire when idle alive while they are used. Thread-safe.
 *
 * <p>The expiry is postponed before the use, so a filter that was used exists for its idle time
 * from then on. Another instance that sets such an expiry gives the filter another version, so that
 * each instance reads it before its next use.
 */
@ApplicationScoped
public class IdleFilters {

  private final FilterService filters;
  private final Clock clock;

  /** Requests that use the same filter share one call. */
  private final SharedTasks<FilterName> underWay = new SharedTasks<>();

  public IdleFilters(FilterService filters, Clock clock) {
    this.filters = filters;
    this.clock = clock;
  }

  /**
   * Postpones the expiry of those filters that expire when idle, just before they are used. Calls
   * Redis at most about once a minute for each of them.
   *
   * @param used as they are about to be used
   * @param isChange whether elements are added or removed, not only tested
   * @return fails with FILTER_NOT_FOUND, FILTER_DAMAGED, FILTER_CHANGED, and if Redis is
   *     unavailable. Never fails for tests, which would rather be answered
   */
  public Uni<Void> use(List<Filter> used, boolean isChange) {
    var now = clock.instant();
    var due = used.stream().filter(filter -> filter.isDue(now, isChange)).toList();
    if (due.isEmpty()) {
      return Uni.createFrom().voidItem();
    }
    var postponed =
        Joined.all(due.stream().map(filter -> postpone(filter.live().name())).toList())
            .replaceWithVoid()
            // The expiry may have been postponed, but nothing else was done.
            .onFailure(ErrorCode.STORE_OUTCOME_UNKNOWN::isOf)
            .transform(
                failure ->
                    StoreErrors.unavailable(
                        "Redis did not answer. Nothing was changed. Repeat the request later.",
                        failure));
    return isChange ? postponed : postponed.onFailure().recoverWithNull();
  }

  private Uni<Void> postpone(FilterName name) {
    return underWay.join(
        name,
        Uni.createFrom()
            .voidItem()
            .emitOn(OwnContext.workers())
            .invoke(() -> filters.postpone(name)));
  }
}
