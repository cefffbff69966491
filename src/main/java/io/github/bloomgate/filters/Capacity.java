package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.MemoryLeft;
import io.github.bloomgate.store.UsageCount;
import io.github.bloomgate.store.UsageTotals;
import io.github.bloomgate.store.UsageTotals.Attempt;
import io.github.bloomgate.store.UsageTotals.Reservation;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Makes what there is room for: in the memory of Redis, and within the quotas of the service and of
 * the key that asks. What a quota counts is reserved before anything of it is made, so that many
 * who ask at one moment never get more together.
 */
@ApplicationScoped
public class Capacity {

  private static final Logger LOG = Logger.getLogger(Capacity.class);
  private static final int MAX_ATTEMPTS = 5;

  private final MemoryLeft memory;
  private final FilterStore filters;
  private final UsageTotals totals;
  private final UsageCount count;
  private final GrowthQuotas ofGrowth;
  private final Quota ofService;

  @Inject
  public Capacity(
      MemoryLeft memory,
      FilterStore filters,
      UsageTotals totals,
      UsageCount count,
      GrowthQuotas ofGrowth,
      BloomgateConfig config) {
    this(
        memory,
        filters,
        totals,
        count,
        ofGrowth,
        config.limits().maxFilters(),
        config.limits().maxTotalBytes().asLongValue());
  }

  public Capacity(
      MemoryLeft memory,
      FilterStore filters,
      UsageTotals totals,
      UsageCount count,
      GrowthQuotas ofGrowth,
      long maxFilters,
      long maxTotalBytes) {
    this.memory = memory;
    this.filters = filters;
    this.totals = totals;
    this.count = count;
    this.ofGrowth = ofGrowth;
    this.ofService = Quota.ofService(maxFilters, maxTotalBytes);
  }

  /**
   * Reserves what a filter takes, or a rebuild that shall become one, unless there is a filter of
   * its name. The bitmap of an adopted one counts as large as it can become, since elements that
   * are added here let it grow.
   *
   * @param ofKey the quota of the key that asks
   * @return for {@link #make}; empty if there is a filter of its name
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED
   */
  public Optional<Reservation> reserveNew(Filter filter, Quota ofKey) {
    var name = filter.name();
    if (await(filters.exists(name))) {
      return Optional.empty();
    }
    // Of what a library has there already nothing is needed.
    var needed = filter.isAdopted() ? 0 : MemoryLeft.bytesFor(filter);
    try {
      return Optional.of(
          reserve(filter, filter.sizeBytes(), needed, List.of(ofKey), AccessErrors.NOTHING_MADE));
    } catch (BloomException refusal) {
      // Somebody may have made it meanwhile.
      if (await(filters.exists(name))) {
        return Optional.empty();
      }
      throw refusal;
    }
  }

  /**
   * Reserves what the next generation of a filter takes. While it is loaded both take memory; the
   * quotas count the larger of them, and when it ends what stays.
   *
   * @param ofKey the quota of the key that asks
   * @return for {@link #make}
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED
   */
  public Reservation reserveNext(Filter live, Filter next, Quota ofKey) {
    var bytes = Math.max(live.takenBytes(), next.sizeBytes());
    return reserve(
        next, bytes, MemoryLeft.bytesFor(next), List.of(ofKey), AccessErrors.NOTHING_MADE);
  }

  /**
   * Reserves what another layer of a filter takes, within the quotas of who owns its name. Of a
   * next generation the live one is not known here, so what is counted is never less than what
   * there is once it is counted again.
   *
   * @return for {@link #make}
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED
   */
  Reservation reserveLayer(Filter filter, Layer layer) {
    var bytes = filter.sizeBytes() + layer.shape().sizeBytes();
    var needed = MemoryLeft.bytesFor(layer.shape());
    return reserve(filter, bytes, needed, ofGrowth.of(filter.name()), AccessErrors.NO_LAYER);
  }

  /**
   * Renames a filter, whatever the quotas: both names count until that is done.
   *
   * @return what the script does
   */
  boolean rename(FilterName from, FilterName to, BooleanSupplier script) {
    try {
      var reservation = ((Attempt.Reserved) totals.reserveAs(to, from)).reservation();
      return run(reservation, script, renamed -> count.reconcile(reservation));
    } finally {
      count.reconcile(from);
    }
  }

  /**
   * Makes what was reserved for. After a failure it is counted again, unless what failed may still
   * be done.
   *
   * @param script makes it; false if it did not
   * @return what the script does
   */
  public boolean make(Reservation reservation, BooleanSupplier script) {
    return run(
        reservation,
        script,
        isMade -> {
          if (isMade && !reservation.counted()) {
            made(reservation);
          } else {
            count.reconcile(reservation);
          }
        });
  }

  private boolean run(
      Reservation reservation, BooleanSupplier script, Consumer<Boolean> afterwards) {
    try {
      if (!reservation.isFresh()) {
        throw StoreErrors.unavailable(
            "The service stood still while the request was carried out. Nothing was made.", null);
      }
      var done = script.getAsBoolean();
      afterwards.accept(done);
      return done;
    } catch (RuntimeException failure) {
      if (!isUnknown(failure)) {
        count.reconcile(reservation);
      }
      throw failure;
    }
  }

  /** What was made cannot be taken back because that could not be noted: it is counted later. */
  private void made(Reservation reservation) {
    try {
      totals.made(reservation);
    } catch (BloomException unnoted) {
      LOG.debugf("What %s takes is counted later: %s", reservation.name(), unnoted.getMessage());
    }
  }

  private static boolean isUnknown(Throwable failure) {
    return failure instanceof BloomException error
        && error.code() == ErrorCode.STORE_OUTCOME_UNKNOWN;
  }

  private Reservation reserve(
      Filter filter, long bytes, long needed, List<Quota> ofKeys, String outcome) {
    var reservation = reserve(filter.name(), bytes, ofKeys, outcome);
    try {
      requireMemory(filter, needed);
      return reservation;
    } catch (BloomException full) {
      count.reconcile(reservation);
      throw full;
    }
  }

  private Reservation reserve(FilterName name, long bytes, List<Quota> ofKeys, String outcome) {
    var quotas =
        Stream.concat(ofKeys.stream(), Stream.of(ofService)).filter(Quota::limits).toList();
    var limits = quotas.stream().map(Quota::asLimit).toList();
    var counted = false;
    for (var attempt = 1; attempt <= MAX_ATTEMPTS + 1; attempt++) {
      var answer = totals.reserve(name, bytes, limits);
      if (answer instanceof Attempt.Reserved reserved) {
        return reserved.reservation();
      }
      if (answer instanceof Attempt.Uncounted) {
        count.all();
        continue;
      }
      var quota = quotas.get(exceeded(answer));
      if (counted) {
        throw refusal(name, quota, answer, outcome);
      }
      // Some may have expired, or an instance have died that was about to make one.
      count.of(quota.prefixes());
      counted = true;
    }
    throw StoreErrors.unavailable(
        "The filters that the quotas allow for could not be counted: Redis loses what the service keeps there. Nothing was changed. Have it evict no keys, then repeat the request.",
        null);
  }

  private static int exceeded(Attempt attempt) {
    return attempt instanceof Attempt.TooManyFilters filters
        ? filters.limit()
        : ((Attempt.TooManyBytes) attempt).limit();
  }

  private static BloomException refusal(
      FilterName name, Quota quota, Attempt attempt, String outcome) {
    return attempt instanceof Attempt.TooManyBytes bytes
        ? quota.tooManyBytes(name, bytes.more(), bytes.taken(), outcome)
        : quota.tooManyFilters(((Attempt.TooManyFilters) attempt).filters());
  }

  private void requireMemory(Filter filter, long needed) {
    if (needed > 0) {
      memory
          .bytes()
          .ifPresent(
              left -> {
                if (needed > left) {
                  throw StoreErrors.full(filter.name(), needed, left);
                }
              });
    }
  }
}
