package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FilterStore.Along;
import io.github.bloomgate.store.FilterStore.Replaced;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.NextState;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Renames filters, with their sources and open rebuilds. */
@ApplicationScoped
public class RenameService {

  private static final Logger LOG = Logger.getLogger(RenameService.class);

  /** After this time a sent rename has run or never will. */
  private static final Duration LONGEST_RENAME = Duration.ofMinutes(1);

  private final LiveFilters live;
  private final FilterStore filters;
  private final Changes changes;
  private final Ledger ledger;
  private final Agenda agenda;
  private final Clock clock;

  public RenameService(
      LiveFilters live,
      FilterStore filters,
      Changes changes,
      Ledger ledger,
      Agenda agenda,
      Clock clock) {
    this.live = live;
    this.filters = filters;
    this.changes = changes;
    this.ledger = ledger;
    this.agenda = agenda;
    this.clock = clock;
  }

  /** The filter to be replaced. */
  private record Target(
      Replaced replaced, boolean hasNext, boolean hasSource, Optional<NextState> next) {
    private static final Target NONE = new Target(Replaced.NONE, false, false, Optional.empty());
  }

  /**
   * Renames a filter in one step, with its content and expiry.
   *
   * @param replace whether to delete a filter with the new name
   * @throws BloomException FILTER_NOT_FOUND; FILTER_EXISTS if the new name is taken and must not be
   *     replaced; RENAME_ACROSS_SLOTS; FILTER_DAMAGED, WRONG_KEY_TYPE, FILTER_CHANGED
   */
  public Changed rename(FilterName from, FilterName to, boolean replace) {
    if (from.equals(to)) {
      throw RequestErrors.invalid(
          "The filter already has the name '%s'. Send another name as 'to'.".formatted(to));
    }
    if (!filters.isOneSlot(from, to)) {
      throw FilterErrors.renameAcrossSlots(from, to);
    }
    Changed renamed;
    try {
      renamed = renamed(from, to, replace);
    } catch (RuntimeException failure) {
      live.forget(to);
      ledger.confirm(to);
      ledger.confirm(from);
      throw failure;
    } finally {
      live.forget(from);
    }
    LOG.infof("Renamed filter %s to %s", from, to);
    return renamed;
  }

  private Changed renamed(FilterName from, FilterName to, boolean replace) {
    var oldEntry = ledger.entry(from);
    // A name that must be free is read only if the script finds it taken.
    var looks = replace;
    for (var attempts = live.attempts(from); ; looks = true) {
      var found = attempts.next();
      var target = looks ? target(to, replace) : Target.NONE;
      // Even if this instance dies now, the catalogue lists the filter.
      var entry = ledger.rename(found, to);
      var renamed = rename(found, to, target, replace);
      if (renamed.isPresent()) {
        ledger.confirmRenamed(renamed.get(), entry, from, oldEntry);
        return renamed.get();
      }
    }
  }

  /** The filter with the new name. If it must not be replaced, the rename checks again. */
  private Target target(FilterName to, boolean replace) {
    var reply = changes.find(to);
    if (reply instanceof FindReply.WrongType wrong) {
      throw FilterErrors.wrongKeyType(to, wrong.key());
    }
    var isFree = reply instanceof FindReply.Gone || reply instanceof FindReply.Unfinished;
    if (!isFree && !replace) {
      return Target.NONE;
    }
    if (reply instanceof FindReply.Found found) {
      var state = found.state();
      state.dropped().ifPresent(dropped -> changes.drop(to, dropped));
      return new Target(
          new Replaced(
              state.version(),
              Optional.of(state.replaced()),
              found.next().map(its -> its.state().written())),
          state.next().isPresent(),
          state.hasSource(),
          found.next());
    } else if (reply instanceof FindReply.Damaged damaged) {
      return new Target(
          new Replaced(damaged.version(), Optional.empty(), Optional.empty()),
          damaged.hasNext(),
          damaged.hasSource(),
          Optional.empty());
    }
    return Target.NONE;
  }

  private Optional<Changed> rename(
      FoundFilter found, FilterName to, Target target, boolean replace) {
    var from = found.filter().name();
    var hasSource = found.state().hasSource();
    if (hasSource) {
      // Even if this instance dies now, the source is checked.
      agenda.enter(to, clock.instant().plus(LONGEST_RENAME));
    }
    var asked = found.view().live().asked();
    var reply =
        filters.rename(
            from,
            to,
            found.state().version(),
            asked,
            target.replaced,
            along(found.next().isPresent(), target.hasNext),
            along(hasSource, target.hasSource));
    if (!replace && reply.equals(new ChangeReply.Refused(Refusal.EXISTS))) {
      throw FilterErrors.nameTaken(to);
    }
    if (!(reply instanceof ChangeReply.Done)) {
      return changes.changed(from, reply);
    }
    target.next.ifPresent(changes::dropNext);
    if (hasSource) {
      agenda.enter(to, clock.instant());
    }
    return changes.changed(to, reply);
  }

  private static Along along(boolean has, boolean replacedHas) {
    return has ? Along.MOVE : replacedHas ? Along.REMOVE : Along.NONE;
  }
}
