package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.FilterStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Copies filters: the same bits under another name, in segments of their own. What is copied of a
 * filter that forgets is as old in the copy, and of one that counts there as often.
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
   * Copies a filter, its parameters and its layers included.
   *
   * @param replace whether a filter that bears the new name is replaced; what is added to it while
   *     the copy is made is in the copy too
   * @param expiresAt the deadline of the copy; empty for the one the original has at the end
   * @param quota that of the key that asks
   * @throws BloomException FILTER_NOT_FOUND; FILTER_EXISTS if the new name is taken and not to be
   *     replaced; FILTER_CHANGED if the original, or a filter that is to be replaced, changed at
   *     every attempt, or the copy was deleted or renamed the moment it was there;
   *     REBUILD_IN_PROGRESS, STORE_FULL, LIMIT_EXCEEDED
   */
  public void copy(
      FilterName from,
      FilterName to,
      boolean replace,
      Optional<Instant> expiresAt,
      Quota quota,
      Client client) {
    if (from.equals(to)) {
      throw RequestErrors.invalid(
          "The filter itself has the name '%s'. Send another name as 'to'.".formatted(to));
    }
    BitmapLoads.retrying(() -> attempt(from, to, replace, expiresAt, quota, client));
    LOG.infof("Copied filter %s to %s", from, to);
  }

  private void attempt(
      FilterName from,
      FilterName to,
      boolean replace,
      Optional<Instant> expiresAt,
      Quota quota,
      Client client) {
    var source = live.getReady(from);
    var plan = FilterPlan.like(source);
    try {
      var next =
          replace
              ? openings.openOrNew(to, plan, BitmapLoads.PATIENCE, quota)
              : openings.openNew(to, plan, BitmapLoads.PATIENCE, quota);
      try {
        var ready = loads.load(next, List.of(source), client);
        var deadline = expiresAt.or(live.getUnchanged(source)::expiresAt);
        rebuilds.commit(ready, 0, deadline.map(NewDeadline::at).orElse(NewDeadline.NONE));
      } catch (RuntimeException failure) {
        rebuilds.discard(next);
        throw failure;
      }
    } catch (BloomException failure) {
      throw failure.code() == ErrorCode.REBUILD_NOT_FOUND ? lost(to, replace) : failure;
    }
  }

  /** Somebody created, replaced or deleted a filter of the new name meanwhile. */
  private BloomException lost(FilterName to, boolean replace) {
    return await(filters.exists(to)) && !replace
        ? FilterErrors.nameTaken(to)
        : FilterErrors.changed(to);
  }
}
