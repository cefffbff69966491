package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.awaitEach;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FoundFilters;
import io.github.bloomgate.store.Glance;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StoredFilter;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** How many filters are at a glance, some by one call and without a look at their bits. */
@ApplicationScoped
public class Glances {

  private static final int CALLS_AT_ONCE = 16;

  /** One that Redis works on, and one that is read here meanwhile. */
  private static final int PARTS_AT_ONCE = 2;

  private final FoundFilters many;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;
  private final Catalogue catalogue;

  public Glances(
      FoundFilters many,
      FilterStore filters,
      SegmentStore segments,
      RebuildStore rebuilds,
      Catalogue catalogue) {
    this.many = many;
    this.filters = filters;
    this.segments = segments;
    this.rebuilds = rebuilds;
    this.catalogue = catalogue;
  }

  /** The filters of some names, in their order; names whose filters are gone are dropped. */
  List<FilterPage.Entry> of(List<FilterName> names, boolean withFigures) {
    var read = new HashMap<FilterName, StoredFilter>();
    awaitEach(many.parts(names), PARTS_AT_ONCE, many::read).forEach(read::putAll);
    var apart = names.stream().filter(name -> needsCalls(read.get(name), withFigures)).toList();
    var called = awaitEach(apart, CALLS_AT_ONCE, name -> entry(name, withFigures)).iterator();
    var entries = new ArrayList<FilterPage.Entry>();
    for (var name : names) {
      var entry =
          needsCalls(read.get(name), withFigures)
              ? called.next()
              : Optional.of(entry(read.get(name), figures(read.get(name), withFigures)));
      entry.ifPresentOrElse(entries::add, () -> catalogue.remove(name));
    }
    return entries;
  }

  /** Whether what was read does not tell all, or nothing was. */
  private static boolean needsCalls(StoredFilter read, boolean withFigures) {
    return read == null
        || (withFigures && (!Glance.isWhole(read) || read.filter().next().isPresent()));
  }

  private static Optional<FilterPage.Figures> figures(StoredFilter found, boolean withFigures) {
    return withFigures
        ? Optional.of(
            new FilterPage.Figures(Glance.atFirst(found), found.source(), Optional.empty()))
        : Optional.empty();
  }

  private Uni<Optional<FilterPage.Entry>> entry(FilterName name, boolean withFigures) {
    return filters
        .find(name)
        .chain(
            found ->
                withFigures && found.isPresent()
                    ? figures(found.get()).map(figures -> Optional.of(entry(found.get(), figures)))
                    : Uni.createFrom().item(found.map(stored -> entry(stored, Optional.empty()))))
        .onFailure(DescriptionService::isBeyondReading)
        .recoverWithItem(
            () -> Optional.of(new FilterPage.Entry(name, Optional.empty(), Optional.empty())));
  }

  private static FilterPage.Entry entry(StoredFilter found, Optional<FilterPage.Figures> figures) {
    return new FilterPage.Entry(found.filter().name(), Optional.of(found.filter()), figures);
  }

  private Uni<Optional<FilterPage.Figures>> figures(StoredFilter found) {
    return Uni.combine()
        .all()
        .unis(Glance.at(found, segments), rebuild(found.filter()))
        .with(
            (statistics, rebuild) ->
                Optional.of(new FilterPage.Figures(statistics, found.source(), rebuild)));
  }

  private Uni<Optional<Rebuild>> rebuild(Filter filter) {
    return filter.next().isEmpty()
        ? Uni.createFrom().item(Optional.empty())
        : rebuilds
            .find(filter.name())
            .onFailure(DescriptionService::isBeyondReading)
            .recoverWithItem(Optional::empty);
  }
}
