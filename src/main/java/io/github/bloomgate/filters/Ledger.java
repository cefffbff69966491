package io.github.bloomgate.filters;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.NameReply;
import io.github.bloomgate.store.NameReply.OverQuota;
import io.github.bloomgate.store.NameStore;
import io.github.bloomgate.store.NameStore.Usage;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The catalogue of names and the usage of each owner. A filter is entered before it is created or
 * enlarged, so parallel requests never exceed a quota together. Afterwards the entry is updated
 * from the state of the filter. All methods block. Thread-safe.
 *
 * <p>The latest entries written by this instance are cached, except reservations. Entries are
 * unique, so the catalogue refuses one that another instance has replaced, which is then read
 * again.
 */
@Singleton
public class Ledger {

  private static final Logger LOG = Logger.getLogger(Ledger.class);

  /** The outcome of creating or enlarging a filter beyond a quota. */
  public static final String NOTHING_MADE =
      "Nothing was changed. Create a smaller filter, delete others, or ask the operator for a higher limit.";

  /** The outcome of an add to a filter that would have grown. */
  public static final String NO_LAYER =
      "The elements that still fit were added, and the filter is full. Delete other filters, or ask the operator for a higher limit.";

  private static final int MAX_REMEMBERED = 10_000;

  /** Each look checks up to 100 other names, so these are no attempts to change one filter. */
  private static final int MAX_LOOKS = 20;

  /** By then a create call has succeeded or failed. */
  private static final int CALLS_OF_GRACE = 10;

  private final NameStore store;
  private final LiveFilters live;
  private final Quotas quotas;
  private final Duration grace;
  private final Quota ofAll;
  private final Cache<FilterName, String> written =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();

  /** The quotas of API keys. */
  public interface Quotas {
    /** The quota of a key; without limits if there is no such key. */
    Quota of(String owner);
  }

  @Inject
  Ledger(NameStore store, LiveFilters live, Quotas quotas, BloomgateConfig config) {
    this(
        store,
        live,
        quotas,
        config.redis().callTimeout().multipliedBy(CALLS_OF_GRACE),
        new Quota("", config.limits().maxFilters(), config.limits().maxTotalBytes().asLongValue()));
  }

  Ledger(NameStore store, LiveFilters live, Quotas quotas, Duration grace, Quota ofAll) {
    this.store = store;
    this.live = live;
    this.quotas = quotas;
    this.grace = grace;
    this.ofAll = ofAll;
  }

  /**
   * Enters a filter before it is created.
   *
   * @return the reservation, for {@link #settle}; empty if a filter of that name exists
   * @throws BloomException LIMIT_EXCEEDED; FILTER_CHANGED while another owner creates it
   */
  public Optional<String> enter(Generation generation, Quota quota) {
    return enter(
        new Usage(
            generation.name(),
            generation.sizeBytes(),
            generation.state().owner(),
            generation.expiresAt()),
        quota,
        ofAll);
  }

  private Optional<String> enter(Usage usage, Quota quota, Quota all) {
    var seen = "";
    for (var attempts = new Attempts(live, usage.name()); ; ) {
      attempts.count();
      var reply = reserve(seen, usage, quota, all, NOTHING_MADE);
      if (reply instanceof NameReply.Differs changed) {
        if (live.exists(usage.name())) {
          return Optional.empty();
        }
        seen = changed.entry();
      } else {
        return Optional.of(((NameReply.Done) reply).entry());
      }
    }
  }

  /**
   * Enters what a filter will take, within the quota of its owner, before it gets a layer or a
   * rebuild is opened.
   *
   * @param bytes of the larger of the live and the next generation
   * @param outcome {@link #NOTHING_MADE} or {@link #NO_LAYER}
   * @return the reservation, for {@link #settle} after the change; empty if the live generation
   *     takes as much
   * @throws BloomException LIMIT_EXCEEDED
   */
  public Optional<String> enlarge(Generation live, long bytes, String outcome) {
    if (bytes <= live.sizeBytes()) {
      return Optional.empty();
    }
    var usage = new Usage(live.name(), bytes, live.state().owner(), live.expiresAt());
    var reply = reserve(NameStore.ANY, usage, quotas.of(live.state().owner()), ofAll, outcome);
    return Optional.of(((NameReply.Done) reply).entry());
  }

  /**
   * Ends a reservation, if there is one: updates the entry of a name from its filter, or removes
   * the name if the filter does not exist and will not appear. Never fails.
   *
   * @param now the filter after the change; empty to read it
   */
  public void settle(FilterName name, Optional<String> entry, Optional<Filter> now) {
    if (entry.isEmpty()) {
      return;
    }
    try {
      var reply =
          now.isPresent()
              ? noted(name, store.confirm(entry.get(), usage(name, now.get()), false))
              : confirm(name, entry.get(), false);
      if (reply instanceof NameReply.Differs) {
        confirm(name);
      }
    } catch (RuntimeException failure) {
      later(name, failure);
    }
  }

  /**
   * Enters the new name of a filter, regardless of quotas.
   *
   * @param replace whether a filter of that name may be replaced; otherwise it keeps its entry, so
   *     that it still counts for its owner
   * @return the entry, for {@link #confirmRenamed}; empty if there is a filter that must stay
   */
  Optional<String> rename(Filter found, FilterName to, boolean replace) {
    var usage = usage(to, found);
    if (!replace) {
      return enter(usage, Quota.NONE, Quota.NONE);
    }
    var reply = reserve(NameStore.ANY, usage, Quota.NONE, Quota.NONE, NOTHING_MADE);
    return Optional.of(((NameReply.Done) reply).entry());
  }

  private NameReply reserve(String seen, Usage usage, Quota quota, Quota all, String outcome) {
    var looked = List.<FilterName>of();
    for (var look = 0; ; look++) {
      var reply = noted(usage.name(), store.reserve(seen, usage, grace, quota, all));
      if (!(reply instanceof OverQuota over)) {
        return reply;
      }
      // Damaged filters are listed again.
      if (over.due().equals(looked) || look == MAX_LOOKS) {
        throw refusal(usage, quota, over, outcome);
      }
      // These filters have expired or were postponed, or an instance died before it changed them.
      looked = over.due();
      looked.forEach(this::confirm);
    }
  }

  private BloomException refusal(Usage usage, Quota quota, OverQuota over, String outcome) {
    var limit = over.isOfAll() ? ofAll : quota;
    if (over.isFilters()) {
      return RequestErrors.limitExceeded(
          "%s, and %s is %d. Nothing was changed. Delete filters, or ask the operator for a higher limit."
              .formatted(
                  over.isOfAll()
                      ? "There are %d filters".formatted(over.held())
                      : "The key '%s' has created %d filters".formatted(quota.owner(), over.held()),
                  over.isOfAll() ? "bloomgate.limits.max-filters" : "its maxFilters quota",
                  limit.maxFilters()));
    }
    return RequestErrors.limitExceeded(
        "The filter '%s' would take %d more bytes; all filters%s take %d bytes, and %s is %d. %s"
            .formatted(
                usage.name(),
                over.more(),
                over.isOfAll() ? "" : " that the key '%s' has created".formatted(quota.owner()),
                over.held(),
                over.isOfAll() ? "bloomgate.limits.max-total-bytes" : "its maxBytes quota",
                limit.maxBytes(),
                outcome));
  }

  /** Whether the key or the service has a quota of bytes. */
  boolean limitsBytes(Quota quota) {
    return quota.maxBytes() > 0 || ofAll.maxBytes() > 0;
  }

  /**
   * Enters a filter that was changed. Never fails.
   *
   * @param seen its entry, {@link #remembered} before the change
   */
  public void confirm(ChangedFilter changed, Optional<String> seen) {
    if (changed.found().isPresent() && seen.isPresent()) {
      settle(changed.name(), seen, changed.found());
    } else {
      confirm(changed.name());
    }
  }

  /**
   * Enters a filter that was renamed, and removes its old name. Never fails.
   *
   * @param entry the result of {@link #rename}
   * @param seen the entry of the old name before the change
   */
  void confirmRenamed(ChangedFilter changed, String entry, FilterName oldName, String seen) {
    written.invalidate(oldName);
    try {
      if (changed.found().isPresent()) {
        var usage = usage(changed.name(), changed.found().get());
        var reply = noted(changed.name(), store.confirm(entry, usage, oldName, seen));
        if (!(reply instanceof NameReply.Differs)) {
          return;
        }
      }
    } catch (RuntimeException failure) {
      later(changed.name(), failure);
    }
    confirm(changed.name());
    leave(oldName, seen);
  }

  /**
   * Updates the entry of a name from its filter, or removes the name. Leaves a reservation, which
   * ends with {@link #settle} or its time. Never fails.
   */
  public void confirm(FilterName name) {
    try {
      for (var attempts = new Attempts(live, name); ; ) {
        attempts.count();
        // Reads the entry before the state, because every change of the state replaces the entry.
        if (!(confirm(name, entry(name), true) instanceof NameReply.Differs)) {
          return;
        }
      }
    } catch (RuntimeException failure) {
      later(name, failure);
    }
  }

  private NameReply confirm(FilterName name, String seen, boolean keepsReservation) {
    Filter found;
    try {
      found = live.get(name);
    } catch (BloomException failure) {
      if (failure.code() != ErrorCode.FILTER_NOT_FOUND) {
        throw failure;
      }
      return noted(name, store.leave(name, seen, keepsReservation));
    }
    return noted(name, store.confirm(seen, usage(name, found), keepsReservation));
  }

  private NameReply noted(FilterName name, NameReply reply) {
    // Only settle ends a reservation.
    if (reply instanceof NameReply.Done done && !done.isReservation() && !done.entry().isEmpty()) {
      written.put(name, done.entry());
    } else {
      written.invalidate(name);
    }
    return reply;
  }

  /** The entry of a name, to be read before its filter is changed; empty for none. */
  public String entry(FilterName name) {
    return remembered(name).orElseGet(() -> store.entries(List.of(name)).get(0));
  }

  /** The entry of a name if this instance wrote it last, and it is not a reservation. */
  public Optional<String> remembered(FilterName name) {
    return Optional.ofNullable(written.getIfPresent(name));
  }

  /**
   * Removes the name of a filter that was deleted or could not be created. Never fails.
   *
   * @param seen its previous entry
   */
  public void leave(FilterName name, String seen) {
    try {
      if (noted(name, store.leave(name, seen, false)) instanceof NameReply.Differs) {
        confirm(name);
      }
    } catch (RuntimeException failure) {
      later(name, failure);
    }
  }

  /** Corrects wrong entries of filters that were just read. Never fails. */
  void check(List<Generation> found) {
    try {
      var entries = store.entries(found.stream().map(Generation::name).toList());
      for (var i = 0; i < entries.size(); i++) {
        if (!isOf(entries.get(i), found.get(i))) {
          confirm(found.get(i).name());
        }
      }
    } catch (RuntimeException failure) {
      LOG.debugf("Names will be checked later: %s", failure.getMessage());
    }
  }

  private static boolean isOf(String entry, Generation generation) {
    // With an open rebuild, the larger generation counts.
    return entry.endsWith(" " + generation.state().owner())
        && (generation.next().isPresent() || entry.startsWith(generation.sizeBytes() + " "));
  }

  private static void later(FilterName name, RuntimeException failure) {
    LOG.debugf("The entry of filter %s will be corrected later: %s", name, failure.getMessage());
  }

  /** The usage may shrink when the filter or the rebuild expires. */
  private static Usage usage(FilterName name, Filter found) {
    return new Usage(
        name,
        found.sizeBytes(),
        found.live().state().owner(),
        found.generations().stream()
            .flatMap(generation -> generation.expiresAt().stream())
            .min(Comparator.naturalOrder()));
  }
}
