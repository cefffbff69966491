package io.github.bloomgate.rebuild;

import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
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
 * Copies filters to another name, with separate segments. Elements keep their age in a window and
 * their counters.
 *
 * <p>A copy is loaded as a hidden generation and appears in one step. It contains every element
 * whose add to the original was acknowledged before the request, and perhaps elements added during
 * the copy.
 */
@ApplicationScoped
public class CopyService {

  private static final Logger LOG = Logger.getLogger(CopyService.class);

  /**
   * How long an unfinished copy survives a dead instance. Each segment renews it, which takes
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
   * Copies a filter with its parameters and layers, and returns the copy.
   *
   * @param replace whether to replace a filter with the new name; elements added to it during the
   *     copy are kept
   * @param expiresAt the expiry of the copy; empty for the expiry the original has at the end
   * @param quota of the caller's key
   * @throws BloomException FILTER_NOT_FOUND; FILTER_EXISTS if the new name is taken and must not be
   *     replaced; FILTER_CHANGED if one of both filters changed during every attempt, or the copy
   *     was deleted or renamed immediately; REBUILD_IN_PROGRESS, STORE_FULL, LIMIT_EXCEEDED
   */
  public ChangedFilter copy(
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
    var copy = rebuilds.repeat(from, () -> copyOnce(from, to, replace, expiresAt, quota, client));
    LOG.infof("Copied filter %s to %s", from, to);
    return copy;
  }

  private ChangedFilter copyOnce(
      FilterName from,
      FilterName to,
      boolean replace,
      Optional<Instant> expiresAt,
      Quota quota,
      Client client) {
    var source = live.get(from).live();
    var plan = source.plan();
    try (var rebuild =
        replace
            ? rebuilds.openOrNew(to, plan, IDLE_TIMEOUT, quota)
            : rebuilds.openNew(to, plan, IDLE_TIMEOUT, quota)) {
      rebuild.requirePossible(expiry(source, expiresAt));
      loads.load(ContentTransfer.Kind.COPY, List.of(source), rebuild, client);
      client.requireThere();
      return rebuild.commit(0, expiry(live.getUnchanged(source), expiresAt));
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.REBUILD_NOT_FOUND && !replace && live.exists(to)) {
        throw FilterErrors.nameTaken(to);
      }
      throw failure;
    }
  }

  private static NewExpiry expiry(Generation source, Optional<Instant> expiresAt) {
    return expiresAt.map(NewExpiry::at).orElseGet(source::expiry);
  }
}
