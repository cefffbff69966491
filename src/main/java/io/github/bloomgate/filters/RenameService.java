package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.SourceAgenda;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Renames filters. What lists them by name is brought along. */
@ApplicationScoped
public class RenameService {

  private static final Logger LOG = Logger.getLogger(RenameService.class);

  /** Generous: after that long without its script having run, a rename has failed. */
  private static final Duration LONGEST_RENAME = Duration.ofMinutes(1);

  private final LiveFilters live;
  private final Catalogue catalogue;
  private final Reconciler reconciler;
  private final MoveService moves;
  private final SourceAgenda agenda;
  private final Capacity capacity;
  private final Clock clock;

  public RenameService(
      LiveFilters live,
      Catalogue catalogue,
      Reconciler reconciler,
      MoveService moves,
      SourceAgenda agenda,
      Capacity capacity,
      Clock clock) {
    this.live = live;
    this.catalogue = catalogue;
    this.reconciler = reconciler;
    this.moves = moves;
    this.agenda = agenda;
    this.capacity = capacity;
    this.clock = clock;
  }

  /**
   * Renames a filter, its content and deadline included, in one step for its readers.
   *
   * @param replace whether a filter that bears the new name is dropped for it
   * @throws BloomException FILTER_NOT_FOUND; FILTER_EXISTS if the new name is taken and not to be
   *     replaced
   */
  public void rename(FilterName from, FilterName to, boolean replace) {
    if (from.equals(to)) {
      throw RequestErrors.invalid(
          "The filter already has the name '%s'. Send another name as 'to'.".formatted(to));
    }
    // Before anything is entered under the new name.
    moves.requireMovable(from, to);
    catalogue.add(to);
    // Its source goes along. Should this instance die, it is found under its new name.
    agenda.enter(to, clock.instant().plus(LONGEST_RENAME));
    boolean renamed;
    try {
      renamed = capacity.rename(from, to, () -> renameAndFollow(from, to, replace));
    } finally {
      live.forget(from);
      live.forget(to);
    }
    if (renamed) {
      catalogue.add(to);
    } else {
      catalogue.remove(to);
    }
    agenda.enter(to, clock.instant());
    catalogue.remove(from);
    if (!renamed) {
      throw FilterErrors.notFound(from);
    }
    LOG.infof("Renamed filter %s to %s", from, to);
  }

  private boolean renameAndFollow(FilterName from, FilterName to, boolean replace) {
    var intent = reconciler.intend(to);
    var renamed = moves.rename(from, to, replace);
    reconciler.reconcile(intent);
    return renamed;
  }
}
