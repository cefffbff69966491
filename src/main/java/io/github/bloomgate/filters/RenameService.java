package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.RemovedFilter;
import jakarta.enterprise.context.ApplicationScoped;
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
  private final ChangeReplies changes;
  private final Ledger ledger;
  private final Agenda agenda;

  public RenameService(
      LiveFilters live, FilterStore filters, ChangeReplies changes, Ledger ledger, Agenda agenda) {
    this.live = live;
    this.filters = filters;
    this.changes = changes;
    this.ledger = ledger;
    this.agenda = agenda;
  }

  /**
   * Renames a filter in one step, with its content and expiry.
   *
   * @param replace whether to delete a filter with the new name
   * @throws BloomException FILTER_NOT_FOUND; FILTER_EXISTS if the new name is taken and must not be
   *     replaced; RENAME_ACROSS_SLOTS; FILTER_DAMAGED, WRONG_KEY_TYPE, FILTER_CHANGED
   */
  public ChangedFilter rename(FilterName from, FilterName to, boolean replace) {
    if (from.equals(to)) {
      throw RequestErrors.invalid(
          "The filter already has the name '%s'. Send another name as 'to'.".formatted(to));
    }
    if (!filters.isOneSlot(from, to)) {
      throw BloomException.of(
          ErrorCode.RENAME_ACROSS_SLOTS,
          "Redis is a cluster, and the names '%s' and '%s' are in different slots, so the filter cannot be renamed in one step. Nothing was changed. Copy it with POST /v1/filters/%s/copy and {\"to\": \"%s\"}, then delete '%s'."
              .formatted(from, to, from, to, from));
    }
    var oldEntry = ledger.entry(from);
    var entry = Optional.<String>empty();
    // A name that must be free is read only if the script finds it taken.
    var looks = replace;
    try {
      for (var attempts = new Attempts(live, from); ; looks = true) {
        var found = attempts.next();
        var target = looks ? target(to, replace) : RemovedFilter.NONE;
        // Even if this instance dies now, the catalogue lists the filter.
        entry = ledger.rename(found, to, replace);
        if (entry.isEmpty()) {
          // Unless another rename has just given this filter this or another name.
          var content = found.live().content();
          if (!hasContent(to, content) && live.get(from).live().content().equals(content)) {
            throw FilterErrors.nameTaken(to);
          }
          continue;
        }
        var renamed = rename(found, to, target, replace);
        if (renamed.isPresent()) {
          LOG.infof("Renamed filter %s to %s", from, to);
          ledger.confirmRenamed(renamed.get(), entry.get(), from, oldEntry);
          return renamed.get();
        }
      }
    } catch (RuntimeException failure) {
      live.forget(to);
      // The rename may still be made if its outcome is unknown: then its reservation stays.
      if (!ErrorCode.STORE_OUTCOME_UNKNOWN.isOf(failure)) {
        ledger.settle(to, entry, Optional.empty());
      }
      ledger.confirm(from);
      throw failure;
    } finally {
      live.forget(from);
    }
  }

  private boolean hasContent(FilterName name, ContentId content) {
    return await(filters.findWhole(name)) instanceof FindReply.Found found
        && found.state().content().equals(content);
  }

  /**
   * The filter to replace. If there must be none, the rename itself checks.
   *
   * @throws BloomException WRONG_KEY_TYPE
   */
  private RemovedFilter target(FilterName to, boolean replace) {
    var reply = await(filters.findWhole(to));
    return replace ? reply.removed().orElse(RemovedFilter.NONE) : RemovedFilter.NONE;
  }

  private Optional<ChangedFilter> rename(
      Filter found, FilterName to, RemovedFilter target, boolean replace) {
    var from = found.live().name();
    var hasSource = found.live().state().hasSource();
    if (hasSource) {
      // Even if this instance dies now, the source is checked.
      agenda.enterAfter(to, LONGEST_RENAME);
    }
    var asked = found.live().asked();
    var reply = filters.rename(from, to, found.live().state().version(), hasSource, asked, target);
    if (!replace && reply.equals(new ChangeReply.Refused(Refusal.EXISTS))) {
      throw FilterErrors.nameTaken(to);
    }
    if (reply instanceof ChangeReply.StillToDrop earlier && earlier.isOfReplaced()) {
      changes.drop(to, earlier.dropped());
      return Optional.empty();
    }
    if (!(reply instanceof ChangeReply.Done)) {
      return changes.changed(from, reply);
    }
    target.next().ifPresent(next -> changes.dropUnnoted(to, next.replaced()));
    if (hasSource) {
      agenda.enterAfter(to, Duration.ZERO);
    }
    return changes.changed(to, reply);
  }
}
