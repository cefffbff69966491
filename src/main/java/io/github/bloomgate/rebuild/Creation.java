package io.github.bloomgate.rebuild;

import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.EndedRun;
import java.time.Instant;
import java.util.Optional;

/** A rebuild that becomes a new filter, and is invisible until its commit. */
final class Creation extends Rebuild {

  private final Quota quota;
  private volatile String reservation;

  /**
   * @param quota of the owner
   * @param reservation the entry of the name in the catalogue
   */
  Creation(
      Parts parts, Generation next, Optional<Instant> openedAt, Quota quota, String reservation) {
    super(parts, next, "", openedAt);
    this.quota = quota;
    this.reservation = reservation;
  }

  @Override
  Generation view() {
    return current();
  }

  @Override
  String liveVersion() {
    return "";
  }

  @Override
  ChangedFilter replace(long minElements, NewExpiry expiry, Optional<EndedRun> ended) {
    // Loading may take longer than a reservation lasts, and its share may be another filter's now.
    reservation = ledger.enter(next(), quota).orElseThrow(() -> RebuildErrors.notFound(name()));
    for (var attempts = new Attempts(live, name()); ; ) {
      attempts.count();
      var committed = commit(Optional.empty(), current(), expiry, ended);
      if (committed.isPresent()) {
        return committed.get();
      }
    }
  }

  @Override
  Optional<String> entry() {
    return Optional.of(reservation);
  }

  /** Even if another filter has taken the name: it would count for the wrong owner. */
  @Override
  void giveShareBack(boolean isAborted) {
    ledger.settle(name(), Optional.of(reservation), Optional.empty());
  }
}
