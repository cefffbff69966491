package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.store.RebuildStore;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How many bytes the bitmaps of all filters of some names take. No key of Redis knows: a filter may
 * vanish by its deadline. So the filters are looked at now and then, and what this instance makes
 * in between is added; what others make shows at the next look. Looking at ten thousand filters
 * takes Redis some tenths of a second in all, in calls of its usual length. Thread-safe.
 *
 * <p>Names are told by prefixes, in order, none of which begins with another.
 */
@ApplicationScoped
class Census {

  private static final int PAGE = 500;
  private static final long RECENT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long LATEST_NANOS = Duration.ofSeconds(1).toNanos();

  private final DescriptionService descriptions;
  private final RebuildStore rebuilds;
  private final Map<List<String>, Look> looks = new HashMap<>();

  Census(DescriptionService descriptions, RebuildStore rebuilds) {
    this.descriptions = descriptions;
    this.rebuilds = rebuilds;
  }

  /** The bytes as of the last minute, with all that was made here since. */
  Uni<Long> recent(List<String> prefixes) {
    return within(prefixes, RECENT_NANOS);
  }

  /** The bytes as of the last second; also notes filters that have expired. */
  Uni<Long> latest(List<String> prefixes) {
    return within(prefixes, LATEST_NANOS);
  }

  /** Counts what is about to be made. */
  synchronized void expect(FilterName name, long more) {
    looks.forEach(
        (prefixes, look) -> {
          if (prefixes.stream().anyMatch(name.value()::startsWith)) {
            look.bytes += more;
          }
        });
  }

  private synchronized Uni<Long> within(List<String> prefixes, long nanos) {
    // Those of keys that are gone would stay for ever.
    looks.values().removeIf(look -> look.looking == 0 && !look.isWithin(RECENT_NANOS));
    var look = looks.computeIfAbsent(prefixes, added -> new Look());
    if (look.isWithin(nanos)) {
      return Uni.createFrom().item(look.bytes);
    }
    look.looking++;
    return sum(prefixes, Optional.empty(), 0)
        .onItemOrFailure()
        .invoke((sum, failure) -> note(look, sum, failure))
        // Not the sum itself: of several that look, the first have made something since.
        .map(sum -> bytes(look));
  }

  private synchronized long bytes(Look look) {
    return look.bytes;
  }

  private synchronized void note(Look look, Long sum, Throwable failure) {
    look.looking--;
    if (failure == null) {
      look.looked = true;
      look.lookedAt = System.nanoTime();
      look.bytes = sum;
    }
  }

  private Uni<Long> sum(List<String> prefixes, Optional<FilterName> after, long before) {
    return descriptions
        .list(prefixes, after, PAGE)
        .chain(
            page ->
                bytesOf(page)
                    .map(bytes -> before + bytes)
                    .chain(
                        sum ->
                            page.next().isEmpty()
                                ? Uni.createFrom().item(sum)
                                : sum(prefixes, page.next(), sum)));
  }

  private Uni<Long> bytesOf(FilterPage page) {
    var filters =
        page.entries().stream()
            .flatMap(entry -> entry.filter().stream())
            .filter(filter -> !filter.isAdopted())
            .toList();
    var live = filters.stream().mapToLong(filter -> filter.shape().sizeBytes()).sum();
    return Multi.createFrom()
        .iterable(filters)
        .select()
        .where(filter -> filter.next().isPresent())
        .onItem()
        .transformToUniAndConcatenate(this::growth)
        .collect()
        .with(Collectors.summingLong(more -> more))
        .map(more -> live + more);
  }

  /** By how much an open rebuild will make its filter larger: its commit asks nobody. */
  private Uni<Long> growth(Filter live) {
    return rebuilds
        .find(live.name())
        .map(
            found ->
                found
                    .map(rebuild -> rebuild.next().shape().sizeBytes() - live.shape().sizeBytes())
                    .filter(more -> more > 0)
                    .orElse(0L))
        // One that cannot be read cannot be committed either.
        .onFailure(DescriptionService::isBeyondReading)
        .recoverWithItem(0L);
  }

  /** What is known of the filters of some names; guarded by the census. */
  private static final class Look {

    private int looking;
    private boolean looked;
    private long lookedAt;
    private long bytes;

    private boolean isWithin(long nanos) {
      return looked && System.nanoTime() - lookedAt <= nanos;
    }
  }
}
