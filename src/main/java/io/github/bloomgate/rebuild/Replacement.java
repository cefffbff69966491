package io.github.bloomgate.rebuild;

import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.EndedRun;
import java.time.Instant;
import java.util.Optional;

/** A rebuild whose generation replaces the live one of a filter. */
final class Replacement extends Rebuild {

  private final Optional<Filter> lastRead;

  /**
   * @param lastRead the filter, if it was just read
   */
  Replacement(
      Parts parts,
      Generation next,
      String run,
      Optional<Instant> openedAt,
      Optional<Filter> lastRead) {
    super(parts, next, run, openedAt);
    this.lastRead = lastRead;
  }

  @Override
  Generation view() {
    try {
      return mine(live.get(name()));
    } catch (BloomException failure) {
      throw orRebuildNotFound(failure);
    }
  }

  @Override
  String liveVersion() {
    var found = live.get(name());
    mine(found);
    return found.live().state().version();
  }

  @Override
  ChangedFilter replace(long minElements, NewExpiry expiry, Optional<EndedRun> ended) {
    var attempts = new Attempts(live, name());
    for (var known = lastRead; ; known = Optional.empty()) {
      var found = known.orElseGet(attempts::next);
      var mine = mine(found);
      if (ended.isEmpty() && mine.loading().run().isPresent()) {
        throw RebuildErrors.runInProgress(name());
      }
      if (mine.loading().received() < minElements) {
        throw RebuildErrors.tooFew(name(), mine.loading().received(), minElements);
      }
      var committed = commit(Optional.of(found.live()), mine, expiry, ended);
      if (committed.isPresent()) {
        return committed.get();
      }
    }
  }

  @Override
  Optional<String> entry() {
    return ledger.remembered(name());
  }

  @Override
  void giveShareBack(boolean isAborted) {
    if (isAborted) {
      ledger.confirm(name());
    }
  }
}
