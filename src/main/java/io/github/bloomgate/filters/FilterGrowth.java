package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.LayerStore;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.StoredFilter;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Opens further layers of filters that grow.
 *
 * <p>A layer is planned by one script, which names its segments in the list of what is to be freed
 * with the filter. Then {@link Reconciler} makes its segments as those of a new filter, and opens
 * it by another script. Any instance may do any of these steps, and go on with what another has
 * begun: the plan says what the layer is like.
 */
@ApplicationScoped
public class FilterGrowth {

  private static final int MAX_ATTEMPTS = 10;

  private final LiveFilters live;
  private final RebuildStore rebuilds;
  private final LayerStore layers;
  private final Reconciler reconciler;
  private final Capacity capacity;
  private final Executor workers;

  @Inject
  FilterGrowth(
      LiveFilters live,
      RebuildStore rebuilds,
      LayerStore layers,
      Reconciler reconciler,
      Capacity capacity) {
    this(live, rebuilds, layers, reconciler, capacity, OwnContext.workers());
  }

  /** Opens layers on threads of these. */
  public FilterGrowth(
      LiveFilters live,
      RebuildStore rebuilds,
      LayerStore layers,
      Reconciler reconciler,
      Capacity capacity,
      Executor workers) {
    this.live = live;
    this.rebuilds = rebuilds;
    this.layers = layers;
    this.reconciler = reconciler;
    this.capacity = capacity;
    this.workers = workers;
  }

  /**
   * Has a filter, live or next, have more layers than it was known to have. Waits on a worker
   * thread.
   *
   * <p>Fails with {@link StaleFilterException} if it is of another generation by now.
   *
   * @return the filter with all its layers; empty if it has reached its bound
   * @throws BloomException STORE_FULL, LIMIT_EXCEEDED, and what reading a filter fails with
   */
  public Uni<Optional<Filter>> grow(Filter filter) {
    return layers.once(
        filter, () -> Uni.createFrom().item(() -> growAndWait(filter)).runSubscriptionOn(workers));
  }

  private Optional<Filter> growAndWait(Filter filter) {
    for (var attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      var now = await(read(filter));
      if (now.layers().size() > filter.layers().size()) {
        return Optional.of(now);
      }
      var layer = now.nextLayer();
      if (layer.isEmpty()) {
        return Optional.empty();
      }
      open(now, layer.get());
    }
    throw FilterErrors.changed(filter.name());
  }

  /** Goes on with what somebody else has planned, who may be late or gone. */
  private void open(Filter filter, Layer layer) {
    if (filter.planned().isPresent()) {
      reconciler.reconcile(reconciler.intend(filter.name()));
    } else {
      capacity.make(capacity.reserveLayer(filter, layer), () -> plan(filter, layer));
    }
  }

  private boolean plan(Filter filter, Layer layer) {
    var intent = reconciler.intend(filter.name());
    layers.plan(filter, layer);
    reconciler.reconcile(intent);
    return true;
  }

  /**
   * Reads a live filter again that may have got another layer since.
   *
   * @return the filter if it has; else empty, also if it can have none, which needs no look
   */
  public Uni<Optional<Filter>> lookForMore(Filter filter) {
    return filter.nextLayer().isEmpty()
        ? Uni.createFrom().item(Optional.empty())
        : read(filter)
            .map(
                now ->
                    Optional.of(now).filter(some -> some.layers().size() > filter.layers().size()));
  }

  /**
   * Waits until replicas know of all layers of a filter.
   *
   * @throws BloomException NOT_REPLICATED if too few do
   */
  public Uni<Void> replicate(Filter filter) {
    return layers.replicate(filter);
  }

  private Uni<Filter> read(Filter filter) {
    var found =
        filter.isNext()
            ? rebuilds.find(filter.name()).map(rebuild -> rebuild.map(Rebuild::next))
            : live.find(filter.name()).map(StoredFilter::filter).map(Optional::of);
    return found.map(
        now ->
            now.filter(some -> some.generation().equals(filter.generation()))
                .orElseThrow(() -> new StaleFilterException(false)));
  }
}
