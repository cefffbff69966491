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
  private record Replaced(
      String version, boolean hasNext, boolean hasSource, Optional<NextState> next) {
    private static final Replaced NONE = new Replaced("", false, false, Optional.empty());

    private static Replaced of(FindReply.Found found) {
      var state = found.state();
      return new Replaced(
          state.version(), state.next().isPresent(), state.hasSource(), found.next());
    }
  }

  /**
   * Renames a filter in one step, with its content and expiry.
   *
   * @param replace whether to delete a filter with the new name
   * @throws BloomException FILTER_NOT_FOUND; FILTER_EXISTS if the new name is taken and must not be
   *     replaced; RENAME_ACROSS_SLOTS; FILTER_DAMAGED, WRONG_KEY_TYPE, FILTER_CHANGED
   */
  public void rename(FilterName from, FilterName to, boolean replace) {
    if (from.equals(to)) {
      throw RequestErrors.invalid(
          "The filter already has the name '%s'. Send another name as 'to'.".formatted(to));
    }
    if (!filters.isOneSlot(from, to)) {
      throw FilterErrors.renameAcrossSlots(from, to);
    }
    var entry = ledger.entry(from);
    // Not from the cache, because the new name is entered before the script checks that the filter
    // exists.
    live.forget(from);
    try {
      // A name that must be free is read only if the script finds it taken.
      var looks = replace;
      for (var attempts = live.attempts(from); ; looks = true) {
        var found = attempts.next();
        if (rename(found, to, looks ? replaced(to, replace) : Replaced.NONE, replace)) {
          break;
        }
      }
    } catch (RuntimeException failure) {
      forget(from, to);
      ledger.settle(to);
      ledger.settle(from);
      throw failure;
    }
    forget(from, to);
    ledger.settle(to);
    ledger.leave(from, entry);
    LOG.infof("Renamed filter %s to %s", from, to);
  }

  private void forget(FilterName from, FilterName to) {
    live.forget(from);
    live.forget(to);
  }

  /** The filter with the new name. If it must not be replaced, the rename checks again. */
  private Replaced replaced(FilterName to, boolean replace) {
    var reply = changes.find(to);
    if (reply instanceof FindReply.WrongType wrong) {
      throw FilterErrors.wrongKeyType(to, wrong.key());
    }
    var isFree = reply instanceof FindReply.Gone || reply instanceof FindReply.Unfinished;
    if (!isFree && !replace) {
      return Replaced.NONE;
    }
    if (reply instanceof FindReply.Found found) {
      found.state().dropped().ifPresent(dropped -> changes.drop(to, dropped));
      return Replaced.of(found);
    } else if (reply instanceof FindReply.Damaged damaged) {
      return new Replaced(
          damaged.version(), damaged.hasNext(), damaged.hasSource(), Optional.empty());
    }
    return Replaced.NONE;
  }

  private boolean rename(FoundFilter found, FilterName to, Replaced replaced, boolean replace) {
    var from = found.filter().name();
    var hasSource = found.state().hasSource();
    // Even if this instance dies now, the catalogue lists the filter and its source is checked.
    ledger.rename(found, to);
    if (hasSource) {
      agenda.enter(to, clock.instant().plus(LONGEST_RENAME));
    }
    var reply =
        filters.rename(
            from,
            to,
            found.state().version(),
            replaced.version,
            along(found.next().isPresent(), replaced.hasNext),
            along(hasSource, replaced.hasSource));
    if (!replace && reply.equals(new ChangeReply.Refused(Refusal.EXISTS))) {
      throw FilterErrors.nameTaken(to);
    }
    if (!(reply instanceof ChangeReply.Done done)) {
      return changes.isDone(from, reply);
    }
    done.dropped().ifPresent(dropped -> changes.drop(to, dropped));
    replaced.next.ifPresent(changes::dropNext);
    if (hasSource) {
      agenda.enter(to, clock.instant());
    }
    return true;
  }

  private static Along along(boolean has, boolean replacedHas) {
    return has ? Along.MOVE : replacedHas ? Along.REMOVE : Along.NONE;
  }
}
