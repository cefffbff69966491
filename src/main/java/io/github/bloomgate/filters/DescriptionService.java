package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;
import static io.github.bloomgate.threads.Await.awaitEach;

import io.github.bloomgate.filters.SegmentCounting.CountedFilter;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.Turns;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.NameStore;
import io.github.bloomgate.store.SourceStore;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Describes single filters and pages of filters. All methods fail with {@link BloomException}. */
@ApplicationScoped
public class DescriptionService {

  /** Filters that are read at once for all lists together. */
  private static final int CALLS_AT_ONCE = 16;

  private final LiveFilters live;
  private final SegmentCounting counting;
  private final SourceStore sources;
  private final NameStore names;
  private final Ledger ledger;
  private final Clock clock;
  private final Turns turns = new Turns(CALLS_AT_ONCE);

  public DescriptionService(
      LiveFilters live,
      SegmentCounting counting,
      SourceStore sources,
      NameStore names,
      Ledger ledger,
      Clock clock) {
    this.live = live;
    this.counting = counting;
    this.sources = sources;
    this.names = names;
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Describes a filter. The counts of each segment are exact at one moment. */
  public Description describe(FilterName name, Client client) {
    return await(counting.exactly(name, client).chain(this::description));
  }

  /** A damaged source does not affect its filter. */
  private Uni<Description> description(CountedFilter counted) {
    var filter = counted.found().live();
    return sources
        .find(filter.name(), filter.state().hasSource())
        .onFailure(DescriptionService::isDamage)
        .recoverWithItem(Optional.empty())
        .map(source -> new Description(filter, counted.live(), rebuild(counted), source));
  }

  private Optional<RebuildDescription> rebuild(CountedFilter counted) {
    return counted
        .found()
        .next()
        .map(
            next ->
                new RebuildDescription(
                    next,
                    FilterStatistics.of(next.plan(), counted.next()),
                    Duration.between(next.createdAt(), clock.instant())));
  }

  /**
   * Describes a filter that was just changed.
   *
   * @throws BloomException FILTER_CHANGED if another client has since deleted or renamed it;
   *     FILTER_NOT_FOUND would suggest that the change was not made. FILTER_DAMAGED says that it
   *     was
   */
  public Description describeChanged(ChangedFilter changed) {
    try {
      return await(counting.exactly(changed).chain(this::description));
    } catch (BloomException failure) {
      throw switch (failure.code()) {
        case FILTER_NOT_FOUND -> FilterErrors.changedSince(changed.name());
        case FILTER_DAMAGED ->
            BloomException.of(
                ErrorCode.FILTER_DAMAGED, "The request took effect. " + failure.getMessage());
        default -> failure;
      };
    }
  }

  /**
   * Describes the open rebuild of a filter.
   *
   * @throws BloomException REBUILD_NOT_FOUND if there is none
   */
  public RebuildDescription describeRebuild(FilterName name, Client client) {
    try {
      return rebuild(await(counting.exactlyNext(name, client)))
          .orElseThrow(() -> RebuildErrors.notFound(name));
    } catch (BloomException failure) {
      throw failure.code() == ErrorCode.FILTER_NOT_FOUND ? RebuildErrors.notFound(name) : failure;
    }
  }

  /**
   * Lists filters by name. Drops the names of expired filters, so a page may be shorter than the
   * limit, or even empty, and still have a next one.
   *
   * @param prefixes of the names; in order, and none a prefix of another
   * @param after the {@code next} of the page before
   * @param withFigures whether to read the figures of each filter too
   */
  public FilterPage list(
      List<String> prefixes,
      Optional<FilterName> after,
      int limit,
      boolean withFigures,
      Client client) {
    client.requireThere();
    var page = names.page(prefixes, after, limit);
    var next =
        page.size() < limit ? Optional.<FilterName>empty() : Optional.of(page.get(limit - 1));
    var found =
        awaitEach(
            page,
            CALLS_AT_ONCE,
            name ->
                turns
                    .take(client, () -> entry(name, withFigures))
                    .map(Optional::of)
                    .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
                    .recoverWithItem(Optional::empty));
    var entries = new ArrayList<FilterPage.Entry>();
    for (var i = 0; i < page.size(); i++) {
      var name = page.get(i);
      found.get(i).ifPresentOrElse(entries::add, () -> ledger.confirm(name));
    }
    ledger.check(entries.stream().flatMap(entry -> entry.live().stream()).toList());
    return new FilterPage(entries, next);
  }

  private Uni<FilterPage.Entry> entry(FilterName name, boolean withFigures) {
    return (withFigures
            ? counting
                .asFolded(name)
                .chain(this::description)
                .map(its -> new FilterPage.Entry(name, Optional.of(its.live()), Optional.of(its)))
            : live.find(name)
                .map(
                    found ->
                        new FilterPage.Entry(name, Optional.of(found.live()), Optional.empty())))
        .onFailure(DescriptionService::isDamage)
        .recoverWithItem(new FilterPage.Entry(name, Optional.empty(), Optional.empty()));
  }

  /** Whether only this filter cannot be read. */
  private static boolean isDamage(Throwable failure) {
    return failure instanceof BloomException error
        && switch (error.code()) {
          case FILTER_DAMAGED, WRONG_KEY_TYPE, KEY_MISMATCH, FILTER_CHANGED -> true;
          default -> false;
        };
  }
}
