package io.github.bloomgate.rebuild;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.threads.OwnContext;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Replaces the whole content of a filter in one go: opens a rebuild, lets it be loaded, and commits
 * it; on any failure the filter keeps the content it has. For threads that may wait.
 */
@ApplicationScoped
public class ReplacementService {

  /**
   * How long the rebuild outlives an instance that dies. Longer than a connection may be silent,
   * which is a minute: each load renews it.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration WAIT_AT_SHUTDOWN = Duration.ofSeconds(2);

  private final RebuildOpening openings;
  private final RebuildService rebuilds;
  private final Set<Filter> loading = ConcurrentHashMap.newKeySet();

  public ReplacementService(RebuildOpening openings, RebuildService rebuilds) {
    this.openings = openings;
    this.rebuilds = rebuilds;
  }

  /** What loads a next generation. */
  public interface Load {
    /**
     * Loads all there is, by {@link RebuildService#load}.
     *
     * @throws IOException if the source of the elements breaks
     */
    void into(Filter next) throws IOException;
  }

  /**
   * Replaces a filter's content.
   *
   * @param parameters those of the new content, from those of the filter
   * @param load what it is loaded with; run when every add goes to the new content as well
   * @param minElements how many elements the new content must have at least; 0 for none too
   * @param deadline what becomes of the filter's deadline; asked for when all is loaded
   * @param quota that of the key that asks
   * @throws IOException as the load does
   */
  public void replace(
      FilterName name,
      UnaryOperator<FilterParameters> parameters,
      Load load,
      long minElements,
      Supplier<NewDeadline> deadline,
      Quota quota)
      throws IOException {
    load(openings.open(name, parameters, PATIENCE, quota), load, minElements, deadline);
  }

  /** Likewise, but makes the filter if there is none: nobody sees it before it is loaded. */
  public void createOrReplace(
      FilterName name, FilterPlan plan, Load load, NewDeadline deadline, Quota quota)
      throws IOException {
    load(openings.openOrNew(name, plan, PATIENCE, quota), load, 0, () -> deadline);
  }

  private void load(Filter next, Load load, long minElements, Supplier<NewDeadline> deadline)
      throws IOException {
    loading.add(next);
    try {
      var open = openings.awaitReady(next);
      load.into(open);
      rebuilds.commit(open, minElements, deadline.get());
    } catch (IOException | RuntimeException failed) {
      rebuilds.discard(next);
      throw failed;
    } finally {
      loading.remove(next);
    }
  }

  /** While there still is a link to Redis, so that the next start finds no rebuild open. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    for (var next : loading) {
      CompletableFuture.runAsync(() -> rebuilds.discard(next), OwnContext.workers())
          .completeOnTimeout(null, WAIT_AT_SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    }
  }
}
