package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

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

  public BitmapLoads(BitmapUnion union, RebuildOpening openings) {
    this.openings = openings;
    this.union = union;
  }

  /**
   * Loads a rebuild.
   *
   * @param next the generation to be loaded, which has just been opened
   * @param filters what it is loaded from, see {@link BitmapUnion#join}
   * @return the generation as it is then
   */
  Filter load(Filter next, List<Filter> filters, Client client) {
    var ready = openings.awaitReady(next);
    union.join(filters, ready, client);
    client.requireThere();
    return ready;
  }

  /**
   * Tries a few times as long as the failure is that a filter was changed by others. An attempt
   * ends with the commit: what others do afterwards with the filter must not have it done again.
   */
  static void retrying(Runnable attempt) {
    for (var retry = 0; retry < MAX_RETRIES; retry++) {
      try {
        attempt.run();
        return;
      } catch (BloomException failure) {
        if (failure.code() != ErrorCode.FILTER_CHANGED) {
          throw failure;
        }
      }
    }
    attempt.run();
  }
}
