package io.github.bloomgate.filters;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.UsageCount;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Empties, dates and deletes filters.
 *
 * <p>Each takes effect in one script; with several segments it is reported done when the others
 * have followed, see {@link Reconciler}. All fail with {@link BloomException}.
 */
@ApplicationScoped
public class FilterService {

  private static final Logger LOG = Logger.getLogger(FilterService.class);

  private final LiveFilters live;
  private final FilterStore filters;
  private final Catalogue catalogue;
  private final Reconciler reconciler;
  private final UsageCount usage;

  public FilterService(
      LiveFilters live,
      FilterStore filters,
      Catalogue catalogue,
      Reconciler reconciler,
      UsageCount usage) {
    this.live = live;
    this.filters = filters;
    this.catalogue = catalogue;
    this.reconciler = reconciler;
    this.usage = usage;
  }

  /**
   * Deletes a filter, whole or damaged.
   *
   * @param andAdoptedKey whether the library's bitmap that it has adopted is deleted too
   */
  public void delete(FilterName name, boolean andAdoptedKey) {
    boolean deleted;
    try {
      var intent = reconciler.intend(name);
      deleted = filters.delete(name, andAdoptedKey);
      reconciler.reconcile(intent);
    } finally {
      live.forget(name);
    }
    catalogue.remove(name);
    usage.reconcile(name);
    if (!deleted) {
      throw FilterErrors.notFound(name);
    }
    LOG.infof("Deleted filter %s", name);
  }

  /**
   * The bitmap of another library that a filter has adopted.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED
   */
  public Optional<AdoptedKey> adoptedKey(FilterName name) {
    return live.get(name).filter().adoptedKey();
  }

  /** Empties a filter; its parameters and its deadline stay. */
  public void clear(FilterName name) {
    change(name, filters::clear);
    LOG.infof("Cleared filter %s", name);
  }

  /** Sets the deadline at which a filter vanishes, or removes it. */
  public void expire(FilterName name, Optional<Instant> expiresAt) {
    change(name, filter -> filters.expire(filter, expiresAt));
  }

  private void change(FilterName name, Consumer<Filter> change) {
    live.run(
        name,
        filter -> {
          if (filter.segments() == 1) {
            change.accept(filter);
          } else {
            var intent = reconciler.intend(name);
            change.accept(filter);
            reconciler.reconcile(intent);
          }
          return filter;
        });
  }
}
