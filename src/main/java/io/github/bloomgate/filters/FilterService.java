package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.AdoptedBitmap;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.RemovedFilter;
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
  private final Changes changes;
  private final Ledger ledger;

  public FilterService(LiveFilters live, FilterStore filters, Changes changes, Ledger ledger) {
    this.live = live;
    this.filters = filters;
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
      delete(name, andAdoptedKey ? live.get(name).live().adoptedBitmap() : Optional.empty());
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.FILTER_NOT_FOUND) {
        ledger.confirm(name);
      }
      throw failure;
    }
    ledger.leave(name, entry);
    LOG.infof("Deleted filter %s", name);
  }

  private void delete(FilterName name, Optional<AdoptedBitmap> adopted) {
    var attempts = live.attempts(name);
    // One call is enough if the cached filter is current.
    var target =
        live.remembered(name)
            .filter(found -> found.next().isEmpty())
            .map(found -> RemovedFilter.of(found.live().state(), Optional.empty()));
    live.forget(name);
    while (true) {
      attempts.count();
      var now =
          target.orElseGet(
              () ->
                  await(filters.findWhole(name))
                      .removed()
                      .orElseThrow(() -> FilterErrors.notFound(name)));
      var reply = filters.delete(name, now, adopted);
      if (reply instanceof ChangeReply.OtherSegments others) {
        target = Optional.of(now.withWritten(others.written()));
      } else if (changes.isDone(name, reply)) {
        now.next().ifPresent(next -> changes.dropUnnoted(name, next.replaced()));
        return;
      } else {
        target = Optional.empty();
      }
    }
  }

  /**
   * The adopted key of a filter, if any.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED
   */
  public Optional<AdoptedKey> adoptedKey(FilterName name) {
    return live.get(name).live().adoptedKey();
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
      var adopted = found.live().adoptedBitmap();
      var reply = filters.clear(name, found.live().state(), Changes.newId(), content, adopted);
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
      var adopted = found.live().adoptedBitmap();
      var next = found.next().map(Filter::state);
      var asked = found.live().asked();
      var entry = ledger.remembered(name);
      var reply = filters.expire(name, found.live().state(), next, expiresAt, asked, adopted);
      var changed = changes.changed(name, reply);
      if (changed.isPresent()) {
        ledger.confirm(changed.get(), entry);
        return changed.get();
      }
    }
  }
}
