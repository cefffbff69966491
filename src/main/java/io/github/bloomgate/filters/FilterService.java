package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.AdoptedBitmap;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FilterStore.Asked;
import io.github.bloomgate.store.RemovedFilter;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Clears, expires and deletes filters, each in one step. */
@ApplicationScoped
public class FilterService {

  private static final Logger LOG = Logger.getLogger(FilterService.class);

  private final LiveFilters live;
  private final FilterStore filters;
  private final ChangeReplies changes;
  private final Ledger ledger;

  public FilterService(
      LiveFilters live, FilterStore filters, ChangeReplies changes, Ledger ledger) {
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
    var attempts = new Attempts(live, name);
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
  public ChangedFilter clear(FilterName name) {
    for (var attempts = new Attempts(live, name); ; ) {
      var found = attempts.next();
      if (changes.endExpiredRebuild(found)) {
        continue;
      }
      var content = new ContentId(name, ContentId.newId());
      var adopted = found.live().adoptedBitmap();
      var reply = filters.clear(name, found.live().state(), ContentId.newId(), content, adopted);
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
   * @param expiry not {@link NewExpiry#KEEP}
   * @throws BloomException INVALID_REQUEST if an adopted filter would expire when idle;
   *     FILTER_NOT_FOUND, FILTER_DAMAGED, FILTER_CHANGED
   */
  public ChangedFilter expire(FilterName name, NewExpiry expiry) {
    for (var attempts = new Attempts(live, name); ; ) {
      var found = attempts.next();
      if (found.live().isAdopted() && expiry.idle().isPresent()) {
        attempts.refuse(FilterErrors.cannotBeIdle(name));
        continue;
      }
      var entry = ledger.remembered(name);
      var changed = tryToExpire(found, expiry, found.live().asked());
      if (changed.isPresent()) {
        ledger.confirm(changed.get(), entry);
        return changed.get();
      }
    }
  }

  /**
   * Postpones the expiry of a filter that expires when idle, because it is used now. Does nothing
   * if it has no such expiry. The catalogue keeps the earlier one, after which it looks again.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED, FILTER_CHANGED
   */
  void postpone(FilterName name) {
    for (var attempts = new Attempts(live, name); ; ) {
      var found = attempts.next();
      if (found.live().idle().isEmpty()
          || found.live().expiresAt().isEmpty()
          || tryToExpire(found, NewExpiry.KEEP, List.of()).isPresent()) {
        return;
      }
    }
  }

  /** Empty if the filter has changed. */
  private Optional<ChangedFilter> tryToExpire(Filter found, NewExpiry expiry, List<Asked> asked) {
    var name = found.live().name();
    var next = found.next().map(Generation::state);
    var adopted = found.live().adoptedBitmap();
    var reply =
        filters.expire(name, found.live().state(), ContentId.newId(), next, expiry, asked, adopted);
    return changes.changed(name, reply);
  }
}
