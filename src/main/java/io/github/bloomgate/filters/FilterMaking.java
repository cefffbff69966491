package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.store.AdoptionStore;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.UsageCount;
import jakarta.enterprise.context.ApplicationScoped;

/** Makes the keys of new filters, of one segment or of several, or of a library's bitmap. */
@ApplicationScoped
public class FilterMaking {

  private final FilterStore filters;
  private final AdoptionStore adoptions;
  private final Catalogue catalogue;
  private final Reconciler reconciler;
  private final SegmentMaking segments;
  private final UsageCount usage;

  public FilterMaking(
      FilterStore filters,
      AdoptionStore adoptions,
      Catalogue catalogue,
      Reconciler reconciler,
      SegmentMaking segments,
      UsageCount usage) {
    this.filters = filters;
    this.adoptions = adoptions;
    this.catalogue = catalogue;
    this.reconciler = reconciler;
    this.segments = segments;
    this.usage = usage;
  }

  /** Makes a filter; false if its name is taken. */
  boolean make(Filter filter) {
    if (filter.isAdopted()) {
      return adoptions.adopt(filter);
    }
    if (filter.segments() == 1) {
      return filters.create(filter);
    }
    var intent = reconciler.intend(filter.name());
    var created = filters.create(filter);
    if (created) {
      segments.make(filter, intent, () -> discard(filter));
    }
    return created;
  }

  /** Deletes what was made of a filter, but never another that bears its name by now. */
  private void discard(Filter filter) {
    FilterName name = filter.name();
    var intent = reconciler.intend(name);
    filters.delete(filter);
    reconciler.reconcile(intent);
    catalogue.remove(name);
    usage.reconcile(name);
  }
}
