package io.github.bloomgate.rebuild;

import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
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

  /**
   * How long a copy outlives the instance that makes it. Each segment renews it, which takes
   * milliseconds.
   */
  static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

  private final LiveFilters live;
  private final Rebuilds rebuilds;
  private final ContentLoads loads;

  public CopyService(LiveFilters live, Rebuilds rebuilds, ContentLoads loads) {
    this.live = live;
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
    for (var attempt = 1; !isDone(from, to, replace, expiresAt, quota, client); attempt++) {
      if (attempt == Attempts.MAX) {
        throw FilterErrors.changed(from);
      }
    }
    LOG.infof("Copied filter %s to %s", from, to);
  }

  /** Copies it, unless one of both was changed by others meanwhile. */
  private boolean isDone(
      FilterName from,
      FilterName to,
      boolean replace,
      Optional<Instant> expiresAt,
      Quota quota,
      Client client) {
    var source = live.get(from);
    var plan = FilterPlan.like(source.filter());
    try (var rebuild =
        replace
            ? rebuilds.openOrNew(to, plan, IDLE_TIMEOUT, quota)
            : rebuilds.openNew(to, plan, IDLE_TIMEOUT, quota)) {
      loads.load(List.of(source), rebuild, client);
      client.requireThere();
      var deadline = expiresAt.or(live.getUnchanged(source.filter()).filter()::expiresAt);
      rebuild.commit(0, deadline.map(NewDeadline::at).orElse(NewDeadline.NONE));
      return true;
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.REBUILD_NOT_FOUND && isTaken(to) && !replace) {
        throw FilterErrors.nameTaken(to);
      }
      if (failure.code() == ErrorCode.FILTER_CHANGED
          || failure.code() == ErrorCode.REBUILD_NOT_FOUND) {
        return false;
      }
      throw failure;
    }
  }

  private boolean isTaken(FilterName name) {
    try {
      live.get(name);
      return true;
    } catch (BloomException failure) {
      return failure.code() != ErrorCode.FILTER_NOT_FOUND;
    }
  }
}
