package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RequestErrors;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Rebuilds that are loaded from the bitmaps of filters, all or nothing: until the commit nobody
 * sees a bit of it, and whatever ends it earlier frees what was loaded.
 */
@ApplicationScoped
public class BitmapLoads {

  /**
   * How long a rebuild outlives the instance that loads it. Each segment renews it, which takes
   * milliseconds.
   */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Each attempt but the first means that somebody replaced a filter a moment ago. */
  private static final int MAX_RETRIES = 4;

  private final BitmapUnion union;
  private final RebuildOpening openings;
  private final RebuildService rebuilds;

  public BitmapLoads(BitmapUnion union, RebuildOpening openings, RebuildService rebuilds) {
    this.openings = openings;
    this.union = union;
    this.rebuilds = rebuilds;
  }

  /**
   * Loads a rebuild and commits it.
   *
   * @param next the generation to be loaded, which has just been opened
   * @param filters what it is loaded from, see {@link BitmapUnion#join}
   * @param commit checks what was loaded, then commits it; when it fails, the rebuild is aborted
   */
  <T> Uni<T> load(Filter next, List<Filter> filters, Function<Filter, Uni<T>> commit) {
    return openings
        .awaitReady(next)
        .call(ready -> union.join(filters, ready))
        .chain(commit::apply)
        .onFailure()
        .call(() -> rebuilds.discard(next))
        .onCancellation()
        .call(() -> rebuilds.discard(next));
  }

  /**
   * Tries a few times as long as the failure is that a filter was changed by others. An attempt
   * ends with the commit: what others do afterwards with the filter must not have it done again.
   */
  static <T> Uni<T> retrying(Supplier<Uni<T>> attempt) {
    return Uni.createFrom()
        .deferred(attempt::get)
        .onFailure(is(ErrorCode.FILTER_CHANGED))
        .retry()
        .atMost(MAX_RETRIES);
  }

  /**
   * Refuses a filter that has grown: its layers are not joined.
   *
   * @throws BloomException INVALID_REQUEST
   */
  static void requireOneLayer(Filter filter) {
    if (filter.layers().size() > 1) {
      throw RequestErrors.invalid(
          "The filter '%s' has grown to %d layers and can be neither copied nor merged. Rebuild it first, which makes it one."
              .formatted(filter.name(), filter.layers().size()));
    }
  }

  /** Whether a failure is of a code. */
  static Predicate<Throwable> is(ErrorCode code) {
    return failure -> failure instanceof BloomException error && error.code() == code;
  }
}
