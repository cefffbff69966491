package io.github.bloomgate.filters;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.SourceAgenda;
import io.github.bloomgate.store.UsageCount;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Empties, dates, renames and deletes filters.
 *
 * <p>Each takes effect in one script; with several segments it is reported done when the others
 * have followed, see {@link Reconciler}. All fail with {@link BloomException}.
 */
@ApplicationScoped
public class FilterService {

  private static final Logger LOG = Logger.getLogger(FilterService.class);

  /** Generous: after that long without its script having run, a rename has failed. */
  private static final Duration LONGEST_RENAME = Duration.ofMinutes(1);

  private final DescriptionService descriptions;
  private final LiveFilters live;
  private final FilterStore filters;
  private final Catalogue catalogue;
  private final Reconciler reconciler;
  private final MoveService moves;
  private final SourceAgenda agenda;
  private final Capacity capacity;
  private final UsageCount usage;
  private final Clock clock;

  public FilterService(
      DescriptionService descriptions,
      LiveFilters live,
      FilterStore filters,
      Catalogue catalogue,
      Reconciler reconciler,
      MoveService moves,
      SourceAgenda agenda,
      Capacity capacity,
      UsageCount usage,
      Clock clock) {
    this.descriptions = descriptions;
    this.live = live;
    this.filters = filters;
    this.catalogue = catalogue;
    this.reconciler = reconciler;
    this.moves = moves;
    this.agenda = agenda;
    this.capacity = capacity;
    this.usage = usage;
    this.clock = clock;
  }

  /**
   * Deletes a filter, whole or damaged.
   *
   * @param andAdoptedKey whether the library's bitmap that it has adopted is deleted too
   */
  public Uni<Void> delete(FilterName name, boolean andAdoptedKey) {
    return reconciler
        .follow(name, () -> filters.delete(name, andAdoptedKey))
        .eventually(() -> live.forget(name))
        .call(() -> catalogue.remove(name))
        .call(() -> usage.reconcile(name))
        .invoke(
            deleted -> {
              if (!deleted) {
                throw FilterErrors.notFound(name);
              }
              LOG.infof("Deleted filter %s", name);
            })
        .replaceWithVoid();
  }

  /**
   * The bitmap of another library that a filter has adopted.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED
   */
  public Uni<Optional<AdoptedKey>> adoptedKey(FilterName name) {
    return live.find(name).map(found -> found.filter().adoptedKey());
  }

  /** Empties a filter; its parameters and its deadline stay. */
  public Uni<Description> clear(FilterName name) {
    return change(name, filters::clear)
        .invoke(() -> LOG.infof("Cleared filter %s", name))
        .chain(() -> descriptions.describeChanged(name));
  }

  /** Sets the deadline at which a filter vanishes, or removes it. */
  public Uni<Description> expire(FilterName name, Optional<Instant> expiresAt) {
    return change(name, filter -> filters.expire(filter, expiresAt))
        .chain(() -> descriptions.describeChanged(name));
  }

  private Uni<Void> change(FilterName name, Function<Filter, Uni<Void>> change) {
    return live.use(
        name,
        filter ->
            filter.segments() == 1
                ? change.apply(filter)
                : reconciler.follow(name, () -> change.apply(filter)));
  }

  /**
   * Renames a filter, its content and deadline included, in one step for its readers.
   *
   * @param replace whether a filter that bears the new name is dropped for it
   * @throws BloomException FILTER_EXISTS if the new name is taken and not to be replaced
   */
  public Uni<Description> rename(FilterName from, FilterName to, boolean replace) {
    if (from.equals(to)) {
      return Uni.createFrom()
          .failure(
              RequestErrors.invalid(
                  "The filter already has the name '%s'. Send another name as 'to'."
                      .formatted(to)));
    }
    // Before anything is entered under the new name.
    return moves
        .requireMovable(from, to)
        .chain(() -> catalogue.add(to))
        // Its source goes along. Should this instance die, it is found under its new name.
        .chain(() -> agenda.enter(to, clock.instant().plus(LONGEST_RENAME)))
        .chain(
            () ->
                capacity.rename(
                    from, to, () -> reconciler.follow(to, () -> renameOrMove(from, to, replace))))
        .onTermination()
        .invoke(
            () -> {
              live.forget(from);
              live.forget(to);
            })
        .call(renamed -> renamed ? catalogue.add(to) : catalogue.remove(to))
        .call(() -> agenda.enter(to, clock.instant()))
        .call(() -> catalogue.remove(from))
        .chain(
            renamed -> {
              if (!renamed) {
                throw FilterErrors.notFound(from);
              }
              LOG.infof("Renamed filter %s to %s", from, to);
              return descriptions.describeChanged(to);
            });
  }

  /** A move between slots is noted under both names: it may leave something under either. */
  private Uni<Boolean> renameOrMove(FilterName from, FilterName to, boolean replace) {
    return filters
        .rename(from, to, replace)
        .onFailure(SeveralSlotsException.class)
        .recoverWithUni(() -> reconciler.follow(from, () -> moves.move(from, to, replace)));
  }
}
