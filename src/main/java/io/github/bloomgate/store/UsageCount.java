package io.github.bloomgate.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Shared;
import io.github.bloomgate.store.UsageTotals.Reservation;
import io.smallrye.mutiny.Multi;
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
  private final Shared<Void> first = new Shared<>(this::countAll);
  private final Cache<List<String>, Look> looks =
      Caffeine.newBuilder().expireAfterAccess(Duration.ofMinutes(1)).build();

  UsageCount(UsageTotals totals, Catalogue catalogue, FilterStore filters) {
    this.totals = totals;
    this.catalogue = catalogue;
    this.filters = filters;
  }

  /** Counts all filters, where they have not been counted yet or what was known is lost. */
  public Uni<Void> all() {
    return first.result();
  }

  private Uni<Void> countAll() {
    return totals.beginCount().chain(this::count);
  }

  private Uni<Void> count(Optional<String> id) {
    return id.isEmpty()
        ? Uni.createFrom().voidItem()
        : look(ALL).chain(() -> totals.endCount(id.get())).chain(this::count);
  }

  /**
   * Counts the filters again whose names begin with one of some prefixes, unless that was done
   * within the last second; those who ask meanwhile share it. Takes some small calls a filter.
   */
  public Uni<Void> of(List<String> prefixes) {
    return looks.get(prefixes, Look::new).again();
  }

  private Uni<Void> look(List<String> prefixes) {
    return Multi.createFrom()
        .iterable(prefixes)
        .onItem()
        .transformToUniAndConcatenate(
            prefix ->
                lookAtCounted(prefix, Optional.empty())
                    .chain(() -> lookAtListed(prefix, Optional.empty())))
        .onItem()
        .ignoreAsUni();
  }

  private Uni<Void> lookAtCounted(String prefix, Optional<String> after) {
    return totals
        .counted(prefix, after)
        .chain(
            page -> {
              var last = page.keySet().stream().reduce((one, next) -> next);
              return recount(page)
                  .chain(
                      () ->
                          last.isEmpty()
                              ? Uni.createFrom().voidItem()
                              : lookAtCounted(prefix, last));
            });
  }

  /** Those that an instance of an earlier release has made, or that were lost here. */
  private Uni<Void> lookAtListed(String prefix, Optional<FilterName> after) {
    return catalogue
        .page(prefix, after, NAMES_PER_PAGE)
        .chain(
            page ->
                page.isEmpty()
                    ? Uni.createFrom().voidItem()
                    : totals
                        .counted(page)
                        .invoke(found -> found.values().removeIf(change -> !change.equals("0")))
                        .chain(this::recount)
                        .chain(() -> lookAtListed(prefix, Optional.of(page.get(page.size() - 1)))));
  }

  private Uni<Void> recount(Map<String, String> changes) {
    return Multi.createFrom()
        .iterable(List.copyOf(changes.entrySet()))
        .onItem()
        .transformToUni(
            entry -> {
              var name = new FilterName(entry.getKey());
              return bytes(name).chain(bytes -> totals.recount(name, entry.getValue(), bytes, ""));
            })
        .merge(CALLS_AT_ONCE)
        .onItem()
        .ignoreAsUni();
  }

  /**
   * Counts what was reserved for as it is now; never fails, as it is done again when it matters.
   */
  public Uni<Void> reconcile(Reservation reservation) {
    return reconcile(reservation.name(), reservation.token());
  }

  /** Likewise of a name that was changed. */
  public Uni<Void> reconcile(FilterName name) {
    return reconcile(name, "");
  }

  private Uni<Void> reconcile(FilterName name, String token) {
    return Uni.createFrom()
        .deferred(() -> reconcile(name, token, 1))
        .onFailure()
        .invoke(
            failure -> LOG.debugf("What %s takes is counted later: %s", name, failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }

  private Uni<Void> reconcile(FilterName name, String token, int attempt) {
    return totals
        .counted(List.of(name))
        .chain(
            changes ->
                bytes(name)
                    .chain(bytes -> totals.recount(name, changes.get(name.value()), bytes, token)))
        .chain(
            done ->
                done || attempt == MAX_ATTEMPTS
                    ? Uni.createFrom().voidItem()
                    : reconcile(name, token, attempt + 1));
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

    private final Shared<Void> shared;
    private volatile long endedAt = System.nanoTime() - PAUSE_NANOS;

    private Look(List<String> prefixes) {
      shared = new Shared<>(() -> look(prefixes).invoke(() -> endedAt = System.nanoTime()));
    }

    private Uni<Void> again() {
      return System.nanoTime() - endedAt < PAUSE_NANOS
          ? Uni.createFrom().voidItem()
          : shared.result();
    }
  }
}
