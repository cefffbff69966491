package io.github.bloomgate.rebuild;

import static io.github.bloomgate.rebuild.BitmapLoads.is;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.FilterStore;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Copies filters: the same bits under another name, in segments of their own.
 *
 * <p>A copy is loaded as a hidden generation and appears in one step, whole. Every element whose
 * add to the original was acknowledged before the request is in it; one that is added meanwhile may
 * be.
 */
@ApplicationScoped
public class CopyService {

  private static final Logger LOG = Logger.getLogger(CopyService.class);

  private final LiveFilters live;
  private final FilterStore filters;
  private final RebuildOpening openings;
  private final RebuildService rebuilds;
  private final BitmapLoads loads;

  public CopyService(
      LiveFilters live,
      FilterStore filters,
      RebuildOpening openings,
      RebuildService rebuilds,
      BitmapLoads loads) {
    this.openings = openings;
    this.live = live;
    this.filters = filters;
    this.rebuilds = rebuilds;
    this.loads = loads;
  }

  /**
   * Copies a filter, its parameters included.
   *
   * @param replace whether a filter that bears the new name is replaced; what is added to it while
   *     the copy is made is in the copy too
   * @param expiresAt the deadline of the copy; empty for the one the original has at the end
   * @param quota that of the key that asks
   * @return the copy
   * @throws BloomException FILTER_NOT_FOUND; FILTER_EXISTS if the new name is taken and not to be
   *     replaced; FILTER_CHANGED if the original, or a filter that is to be replaced, changed at
   *     every attempt, or the copy was deleted or renamed the moment it was there;
   *     REBUILD_IN_PROGRESS, STORE_FULL, LIMIT_EXCEEDED
   */
  public Uni<Description> copy(
      FilterName from, FilterName to, boolean replace, Optional<Instant> expiresAt, Quota quota) {
    if (from.equals(to)) {
      return Uni.createFrom()
          .failure(
              RequestErrors.invalid(
                  "The filter itself has the name '%s'. Send another name as 'to'.".formatted(to)));
    }
    return BitmapLoads.retrying(() -> attempt(from, to, replace, expiresAt, quota))
        .invoke(() -> LOG.infof("Copied filter %s to %s", from, to))
        .chain(() -> rebuilds.describeCommitted(to));
  }

  private Uni<Void> attempt(
      FilterName from, FilterName to, boolean replace, Optional<Instant> expiresAt, Quota quota) {
    return live.findReady(from)
        .invoke(BitmapLoads::requireOneLayer)
        .chain(
            source ->
                open(source, to, replace, quota)
                    .chain(
                        next ->
                            loads.load(
                                next, List.of(source), ready -> commit(source, ready, expiresAt))))
        .onFailure(is(ErrorCode.REBUILD_NOT_FOUND))
        .recoverWithUni(() -> lost(to, replace));
  }

  private Uni<Filter> open(Filter source, FilterName to, boolean replace, Quota quota) {
    var parameters = source.parameters();
    if (!replace) {
      return openings.openNew(to, parameters, BitmapLoads.PATIENCE, quota);
    }
    return openings.openOrNew(to, parameters, BitmapLoads.PATIENCE, quota);
  }

  /** Somebody created, replaced or deleted a filter of the new name meanwhile. */
  private Uni<Void> lost(FilterName to, boolean replace) {
    return filters
        .exists(to)
        .map(
            exists -> {
              throw exists && !replace ? FilterErrors.nameTaken(to) : FilterErrors.changed(to);
            });
  }

  private Uni<Void> commit(Filter source, Filter next, Optional<Instant> expiresAt) {
    return live.findUnchanged(source)
        .chain(
            now ->
                rebuilds.putLive(
                    next,
                    0,
                    expiresAt.or(now::expiresAt).map(NewDeadline::at).orElse(NewDeadline.NONE)));
  }
}
