package io.github.bloomgate.filters;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.AdoptedBitmap;
import io.github.bloomgate.store.ContentId;
import io.github.bloomgate.store.FilterStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Clears, expires and deletes filters, each in one step. */
@ApplicationScoped
public class FilterService {

  private static final Logger LOG = Logger.getLogger(FilterService.class);

  private final LiveFilters live;
  private final FilterStore filters;
  private final Deletions deletions;
  private final Changes changes;
  private final Ledger ledger;

  public FilterService(
      LiveFilters live, FilterStore filters, Deletions deletions, Changes changes, Ledger ledger) {
    this.live = live;
    this.filters = filters;
    this.deletions = deletions;
    this.changes = changes;
    this.ledger = ledger;
  }

  /**
   * Deletes a filter, even a damaged one.
   *
   * @param andAdoptedKey whether to delete its adopted bitmap too
   * @throws BloomException FILTER_NOT_FOUND, WRONG_KEY_TYPE, FILTER_CHANGED
   */
  public void delete(FilterName name, boolean andAdoptedKey) {
    var entry = ledger.entry(name);
    try {
      deletions.delete(
          name, andAdoptedKey ? AdoptedBitmap.of(live.get(name).filter()) : Optional.empty());
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.FILTER_NOT_FOUND) {
        ledger.confirm(name);
      }
      throw failure;
    }
    ledger.leave(name, entry);
    LOG.infof("Deleted filter %s", name);
  }

  /**
   * The adopted key of a filter, if any.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED
   */
  public Optional<AdoptedKey> adoptedKey(FilterName name) {
    return live.get(name).filter().adoptedKey();
  }

  /**
   * Empties a filter, which keeps its parameters and its expiry.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED, REBUILD_IN_PROGRESS, FILTER_CHANGED
   */
  public Changed clear(FilterName name) {
    for (var attempts = live.attempts(name); ; ) {
      var found = attempts.next();
      if (changes.endExpiredRebuild(found)) {
        continue;
      }
      var content = new ContentId(name, Changes.newId());
      var adopted = AdoptedBitmap.of(found.filter());
      var reply = filters.clear(name, found.state(), Changes.newId(), content, adopted);
      var changed = changes.changed(name, reply);
      if (changed.isPresent()) {
        LOG.infof("Cleared filter %s", name);
        return changed.get();
      }
    }
  }

  /**
   * Sets or removes the expiry of a filter.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED, FILTER_CHANGED
   */
  public Changed expire(FilterName name, Optional<Instant> expiresAt) {
    for (var attempts = live.attempts(name); ; ) {
      var found = attempts.next();
      var adopted = AdoptedBitmap.of(found.filter());
      var next = found.next().map(its -> its.state().state());
      var asked = found.view().live().asked();
      var entry = ledger.remembered(name);
      var reply = filters.expire(name, found.state(), next, expiresAt, asked, adopted);
      var changed = changes.changed(name, reply);
      if (changed.isPresent()) {
        ledger.confirm(changed.get(), entry);
        return changed.get();
      }
    }
  }
}
