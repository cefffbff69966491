package io.github.bloomgate.filters;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.MemoryLeft;
import io.github.bloomgate.store.UsageCount;
import io.github.bloomgate.store.UsageTotals;
import io.github.bloomgate.store.UsageTotals.Attempt;
import io.github.bloomgate.store.UsageTotals.Reservation;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Makes what there is room for: in the memory of Redis, and within the quotas of the service and of
 * the key that asks. What a quota counts is reserved before anything of it is made, so that many
 * who ask at one moment never get more together.
 */
@ApplicationScoped
public class Capacity {

  private static final Uni<Void> GRANTED = Uni.createFrom().voidItem();
  private static final int MAX_ATTEMPTS = 5;

  private final MemoryLeft memory;
  private final FilterStore filters;
  private final UsageTotals totals;
  private final UsageCount count;
  private final Quota ofService;

  @Inject
  public Capacity(
      MemoryLeft memory,
      FilterStore filters,
      UsageTotals totals,
      UsageCount count,
      BloomgateConfig config) {
    this(
        memory,
        filters,
        totals,
        count,
        config.limits().maxFilters(),
        config.limits().maxTotalBytes().asLongValue());
  }

  public Capacity(
      MemoryLeft memory,
      FilterStore filters,
      UsageTotals totals,
      UsageCount count,
      long maxFilters,
      long maxTotalBytes) {
    this.memory = memory;
    this.filters = filters;
    this.totals = totals;
    this.count = count;
    this.ofService = Quota.ofService(maxFilters, maxTotalBytes);
  }

  /**
   * Makes a filter, or a rebuild that shall become one, unless there is a filter of its name. The
   * bitmap of an adopted one counts as large as it can become, since elements that are added here
   * let it grow.
   *
   * @param ofKey the quota of the key that asks
   * @param script makes it
   * @param isMade whether what the script answers means that it was made
   * @param taken what is answered if there is a filter of its name
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED, and what the script fails with
   */
  public <T> Uni<T> makeNew(
      Filter filter,
      Quota ofKey,
      Supplier<Uni<T>> script,
      Predicate<T> isMade,
      Supplier<Uni<T>> taken) {
    var name = filter.name();
    // Of what a library has there already nothing is needed.
    var needed = filter.isAdopted() ? 0 : MemoryLeft.bytesFor(filter);
    return filters
        .exists(name)
        .chain(
            exists ->
                exists
                    ? Uni.createFrom().item(Optional.<Reservation>empty())
                    : reserve(filter, filter.sizeBytes(), needed, ofKey)
                        .map(Optional::of)
                        // Somebody may have made it meanwhile.
                        .onFailure(BloomException.class)
                        .recoverWithUni(refusal -> unlessThere(name, refusal)))
        .chain(reserved -> reserved.map(room -> make(room, script, isMade)).orElseGet(taken));
  }

  private Uni<Optional<Reservation>> unlessThere(FilterName name, Throwable refusal) {
    return filters
        .exists(name)
        .chain(
            exists ->
                exists
                    ? Uni.createFrom().item(Optional.empty())
                    : Uni.createFrom().failure(refusal));
  }

  private <T> Uni<T> make(Reservation reservation, Supplier<Uni<T>> script, Predicate<T> isMade) {
    return reconciled(
        reservation,
        () ->
            script
                .get()
                .call(
                    answer ->
                        isMade.test(answer) ? made(reservation) : count.reconcile(reservation)));
  }

  /**
   * Makes the next generation of a filter. While it is loaded both take memory; the quotas count
   * the larger of them, and when it ends what stays.
   *
   * @param ofKey the quota of the key that asks
   * @param script makes it
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED, and what the script fails with
   */
  public <T> Uni<T> makeNext(Filter live, Filter next, Quota ofKey, Supplier<Uni<T>> script) {
    var bytes = Math.max(live.takenBytes(), next.sizeBytes());
    return reserve(next, bytes, MemoryLeft.bytesFor(next), ofKey)
        .chain(reservation -> make(reservation, script, made -> true));
  }

  /**
   * Makes another layer of a filter. Of a next generation the live one is not known here, so what
   * is counted is never less than what there is once it is counted again.
   *
   * @param script makes it
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED, and what the script fails with
   */
  <T> Uni<T> makeLayer(Filter filter, Layer layer, Supplier<Uni<T>> script) {
    var bytes = filter.sizeBytes() + layer.shape().sizeBytes();
    return reserve(filter, bytes, MemoryLeft.bytesFor(layer.shape()), Quota.NONE)
        .chain(reservation -> make(reservation, script, made -> true));
  }

  /** Renames a filter, whatever the quotas: both names count until that is done. */
  <T> Uni<T> rename(FilterName from, FilterName to, Supplier<Uni<T>> script) {
    return totals
        .reserveAs(to, from)
        .map(attempt -> ((Attempt.Reserved) attempt).reservation())
        .chain(
            reservation ->
                reconciled(
                    reservation, () -> script.get().call(() -> count.reconcile(reservation))))
        .onTermination()
        .call(() -> count.reconcile(from));
  }

  /** What was made cannot be taken back because that could not be noted: it is counted later. */
  private Uni<Void> made(Reservation reservation) {
    return reservation.counted()
        ? count.reconcile(reservation)
        : totals.made(reservation).onFailure().recoverWithNull();
  }

  /** Counts again after a failure, unless what failed may still be done. */
  private <T> Uni<T> reconciled(Reservation reservation, Supplier<Uni<T>> script) {
    return Uni.createFrom()
        .deferred(
            () -> {
              if (!reservation.isFresh()) {
                throw StoreErrors.unavailable(
                    "The service stood still while the request was carried out. Nothing was made.",
                    null);
              }
              return script.get();
            })
        .onFailure(failure -> !isUnknown(failure))
        .call(() -> count.reconcile(reservation));
  }

  private static boolean isUnknown(Throwable failure) {
    return failure instanceof BloomException error
        && error.code() == ErrorCode.STORE_OUTCOME_UNKNOWN;
  }

  private Uni<Reservation> reserve(Filter filter, long bytes, long needed, Quota ofKey) {
    return reserve(filter.name(), bytes, ofKey, false, 1)
        .call(
            reservation ->
                requireMemory(filter, needed).onFailure().call(() -> count.reconcile(reservation)));
  }

  private Uni<Reservation> reserve(
      FilterName name, long bytes, Quota ofKey, boolean counted, int attempt) {
    var quotas = Stream.of(ofKey, ofService).filter(Quota::limits).toList();
    return totals
        .reserve(name, bytes, quotas.stream().map(Quota::asLimit).toList())
        .chain(
            answer -> {
              if (answer instanceof Attempt.Reserved reserved) {
                return Uni.createFrom().item(reserved.reservation());
              }
              if (answer instanceof Attempt.Uncounted) {
                requireAnotherAttempt(attempt);
                return count.all().chain(() -> reserve(name, bytes, ofKey, counted, attempt + 1));
              }
              var quota = quotas.get(exceeded(answer));
              if (counted) {
                throw refusal(name, quota, answer);
              }
              // Some may have expired, or an instance have died that was about to make one.
              return count
                  .of(quota.prefixes())
                  .chain(() -> reserve(name, bytes, ofKey, true, attempt + 1));
            });
  }

  private static void requireAnotherAttempt(int attempt) {
    if (attempt > MAX_ATTEMPTS) {
      throw StoreErrors.unavailable(
          "The filters that the quotas allow for could not be counted: Redis loses what the service keeps there. Nothing was changed. Have it evict no keys, then repeat the request.",
          null);
    }
  }

  private static int exceeded(Attempt attempt) {
    return attempt instanceof Attempt.TooManyFilters filters
        ? filters.limit()
        : ((Attempt.TooManyBytes) attempt).limit();
  }

  private static BloomException refusal(FilterName name, Quota quota, Attempt attempt) {
    return attempt instanceof Attempt.TooManyBytes bytes
        ? quota.tooManyBytes(name, bytes.more(), bytes.taken())
        : quota.tooManyFilters(((Attempt.TooManyFilters) attempt).filters());
  }

  private Uni<Void> requireMemory(Filter filter, long needed) {
    return needed == 0
        ? GRANTED
        : memory
            .bytes()
            .invoke(
                left -> {
                  if (left.isPresent() && needed > left.getAsLong()) {
                    throw StoreErrors.full(filter.name(), needed, left.getAsLong());
                  }
                })
            .replaceWithVoid();
  }
}
