package io.github.bloomgate.service;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.StoreErrors;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.MemoryLeft;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.function.Supplier;

/**
 * Whether there is room for what is about to be made: in the memory of Redis, and within the quotas
 * of the service and of the key that asks. Asked before anything of it is made. Two that ask at one
 * moment may both be let pass.
 *
 * <p>A filter that is there already needs no room, so that whoever creates it once more finds it.
 */
@ApplicationScoped
public class Capacity {

  private static final Uni<Void> GRANTED = Uni.createFrom().voidItem();

  private final MemoryLeft memory;
  private final Catalogue catalogue;
  private final FilterStore filters;
  private final Census census;
  private final Quota ofService;

  @Inject
  Capacity(
      MemoryLeft memory,
      Catalogue catalogue,
      FilterStore filters,
      Census census,
      BloomgateConfig config) {
    this(
        memory,
        catalogue,
        filters,
        census,
        config.limits().maxFilters(),
        config.limits().maxTotalBytes().asLongValue());
  }

  Capacity(
      MemoryLeft memory,
      Catalogue catalogue,
      FilterStore filters,
      Census census,
      long maxFilters,
      long maxTotalBytes) {
    this.memory = memory;
    this.catalogue = catalogue;
    this.filters = filters;
    this.census = census;
    this.ofService = Quota.ofService(maxFilters, maxTotalBytes);
  }

  /**
   * Lets a filter that is to be made pass. The bits of an adopted one are its library's, and take
   * memory as they are set.
   *
   * @param ofKey the quota of the key that asks
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED
   */
  Uni<Void> requireForNew(Filter filter, Quota ofKey) {
    var more = filter.isAdopted() ? 0 : filter.shape().sizeBytes();
    var needed = filter.isAdopted() ? 0 : MemoryLeft.bytesFor(filter);
    return unlessThere(
        filter,
        () ->
            requireFewerFilters(ofKey)
                .chain(() -> requireFewerFilters(ofService))
                .chain(() -> requireBytes(filter, more, ofKey))
                .chain(() -> requireMemory(filter, needed))
                // Somebody may have made it meanwhile.
                .onFailure(BloomException.class)
                .recoverWithUni(
                    refusal -> unlessThere(filter, () -> Uni.createFrom().<Void>failure(refusal))));
  }

  private Uni<Void> unlessThere(Filter filter, Supplier<Uni<Void>> otherwise) {
    return filters.exists(filter.name()).chain(exists -> exists ? GRANTED : otherwise.get());
  }

  /**
   * Lets the next generation of a filter pass. While it is loaded both take memory; the quotas are
   * for what stays.
   *
   * @param ofKey the quota of the key that asks
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED
   */
  Uni<Void> requireForNext(Filter live, Filter next, Quota ofKey) {
    return requireBytes(next, next.shape().sizeBytes() - live.shape().sizeBytes(), ofKey)
        .chain(() -> requireMemory(next, MemoryLeft.bytesFor(next)));
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

  private Uni<Void> requireFewerFilters(Quota quota) {
    if (quota.maxFilters() == 0) {
      return GRANTED;
    }
    return count(quota)
        .chain(
            count ->
                count < quota.maxFilters()
                    ? GRANTED
                    // Some of the names may be of filters that have expired.
                    : census
                        .latest(quota.prefixes())
                        .chain(() -> count(quota))
                        .invoke(
                            counted -> {
                              if (counted >= quota.maxFilters()) {
                                throw quota.tooManyFilters(counted);
                              }
                            })
                        .replaceWithVoid());
  }

  private Uni<Long> count(Quota quota) {
    var sum = Uni.createFrom().item(0L);
    for (var prefix : quota.prefixes()) {
      sum = sum.chain(before -> catalogue.count(prefix).map(count -> before + count));
    }
    return sum;
  }

  private Uni<Void> requireBytes(Filter filter, long more, Quota ofKey) {
    return more <= 0
        ? GRANTED
        // The smaller quota last: between it and what is expected nobody else is asked.
        : requireBytesWithin(ofService, filter, more)
            .chain(() -> requireBytesWithin(ofKey, filter, more))
            .invoke(() -> census.expect(filter.name(), more));
  }

  private Uni<Void> requireBytesWithin(Quota quota, Filter filter, long more) {
    if (quota.maxBytes() == 0) {
      return GRANTED;
    }
    return census
        .recent(quota.prefixes())
        .chain(
            taken ->
                taken + more <= quota.maxBytes()
                    ? Uni.createFrom().item(taken)
                    // Some may have been deleted since.
                    : census.latest(quota.prefixes()))
        .invoke(
            taken -> {
              if (taken + more > quota.maxBytes()) {
                throw quota.tooManyBytes(filter.name(), more, taken);
              }
            })
        .replaceWithVoid();
  }
}
