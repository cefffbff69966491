package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;
import static io.github.bloomgate.threads.Await.awaitEach;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.UsageTotals.Reservation;
import io.github.bloomgate.threads.SharedWork;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Looks at what filters there really are and corrects {@link UsageTotals} by it. What has vanished
 * by itself, by its deadline or with an instance that died, is noticed here, just before something
 * would be refused for it. Thread-safe.
 */
@ApplicationScoped
public class UsageCount {

  private static final Logger LOG = Logger.getLogger(UsageCount.class);

  private static final int NAMES_PER_PAGE = 500;
  private static final int CALLS_AT_ONCE = 32;
  private static final int MAX_ATTEMPTS = 3;
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  /** What is noted of a name whose filter cannot be read. */
  private static final String AS_BEFORE = "=";

  private static final List<String> ALL = List.of("");

  private final UsageTotals totals;
  private final Catalogue catalogue;
  private final FilterStore filters;
  private final SharedWork first = new SharedWork(this::countAll);
  private final Cache<List<String>, Look> looks =
      Caffeine.newBuilder().expireAfterAccess(Duration.ofMinutes(1)).build();

  UsageCount(UsageTotals totals, Catalogue catalogue, FilterStore filters) {
    this.totals = totals;
    this.catalogue = catalogue;
    this.filters = filters;
  }

  /** Counts all filters, where they have not been counted yet or what was known is lost. */
  public void all() {
    first.run();
  }

  private void countAll() {
    for (var id = totals.beginCount(); id.isPresent(); id = totals.endCount(id.get())) {
      look(ALL);
    }
  }

  /**
   * Counts the filters again whose names begin with one of some prefixes, unless that was done
   * within the last second; those who ask meanwhile share it. Takes some small calls a filter.
   */
  public void of(List<String> prefixes) {
    looks.get(prefixes, Look::new).again();
  }

  private void look(List<String> prefixes) {
    for (var prefix : prefixes) {
      lookAtCounted(prefix);
      lookAtListed(prefix);
    }
  }

  private void lookAtCounted(String prefix) {
    var page = totals.counted(prefix, Optional.empty());
    while (!page.isEmpty()) {
      recount(page);
      page = totals.counted(prefix, page.keySet().stream().reduce((one, next) -> next));
    }
  }

  /** Those that an instance of an earlier release has made, or that were lost here. */
  private void lookAtListed(String prefix) {
    var page = catalogue.page(prefix, Optional.empty(), NAMES_PER_PAGE);
    while (!page.isEmpty()) {
      var found = totals.counted(page);
      found.values().removeIf(change -> !change.equals("0"));
      recount(found);
      page = catalogue.page(prefix, Optional.of(page.get(page.size() - 1)), NAMES_PER_PAGE);
    }
  }

  private void recount(Map<String, String> changes) {
    awaitEach(
        changes.entrySet(),
        CALLS_AT_ONCE,
        entry -> recount(new FilterName(entry.getKey()), entry.getValue(), ""));
  }

  private Uni<Boolean> recount(FilterName name, String change, String token) {
    return bytes(name).chain(bytes -> totals.recount(name, change, bytes, token));
  }

  /**
   * Counts what was reserved for as it is now; never fails, as it is done again when it matters.
   */
  public void reconcile(Reservation reservation) {
    reconcile(reservation.name(), reservation.token());
  }

  /** Likewise of a name that was changed. */
  public void reconcile(FilterName name) {
    reconcile(name, "");
  }

  private void reconcile(FilterName name, String token) {
    try {
      for (var attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        var change = totals.counted(List.of(name)).get(name.value());
        if (await(recount(name, change, token))) {
          return;
        }
      }
    } catch (RuntimeException failure) {
      LOG.debugf("What %s takes is counted later: %s", name, failure.getMessage());
    }
  }

  /** What a name takes: its filter, or the one that will take its place if that is larger. */
  private Uni<String> bytes(FilterName name) {
    return filters
        .outline(name)
        .chain(
            outline -> {
              var most = outline.generations().stream().mapToLong(Filter::takenBytes).max();
              return most.isPresent()
                  ? Uni.createFrom().item(Long.toString(most.getAsLong()))
                  : filters.exists(name).map(exists -> exists ? AS_BEFORE : "");
            })
        .onFailure(UsageCount::isBeyondReading)
        .recoverWithItem(AS_BEFORE);
  }

  private static boolean isBeyondReading(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_DAMAGED || error.code() == ErrorCode.WRONG_KEY_TYPE);
  }

  /** The last look at the names of some prefixes. */
  private final class Look {

    private final SharedWork shared;
    private volatile long endedAt = System.nanoTime() - PAUSE_NANOS;

    private Look(List<String> prefixes) {
      shared =
          new SharedWork(
              () -> {
                look(prefixes);
                endedAt = System.nanoTime();
              });
    }

    private void again() {
      if (System.nanoTime() - endedAt >= PAUSE_NANOS) {
        shared.run();
      }
    }
  }
}
