package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.LaterSegments;
import io.github.bloomgate.store.LayerStore;
import io.github.bloomgate.store.StaleFilterException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Brings the later segments of a generation into being, of a filter or of what a rebuild loads.
 *
 * <p>An instance may be held up anywhere and go on when others have finished, when elements were
 * added, and when a segment that held some of them was lost. What it makes then must not pass for
 * that segment: it would answer "no" for elements that are in the filter. So a segment is made
 * first and put into use later, and in between the filter is looked at once more. If it still is
 * being created, nothing was added to it, nor to any segment seen before, and just those are
 * activated: a segment is known by its birth. If it is not, what he made stays as it is, and the
 * filter counts as damaged, which it is.
 */
@ApplicationScoped
public class SegmentBirths {

  private final FilterStore filters;
  private final LaterSegments segments;
  private final LayerStore layers;
  private final Clock clock;

  public SegmentBirths(
      FilterStore filters, LaterSegments segments, LayerStore layers, Clock clock) {
    this.filters = filters;
    this.segments = segments;
    this.layers = layers;
    this.clock = clock;
  }

  /**
   * Makes and activates all later segments. Idempotent. Fails with {@link StaleFilterException} if
   * the generation is not being created any more, or if somebody interfered: look again.
   *
   * @param filter the generation as it was read, while it was being created
   */
  void complete(Filter filter, SegmentPass pass) {
    complete(filter, 1, now -> !now.isReady(), pass);
  }

  /**
   * Makes and activates the segments of the layer that a filter has planned, and opens it: as long
   * as it is only planned, nothing was added to it. Idempotent, and fails likewise.
   *
   * @param filter as it was read, while the layer was planned
   */
  void completeLayer(Filter filter) {
    var layer = filter.planned().orElseThrow();
    var pass = new SegmentPass();
    complete(
        filter.withPlanned(),
        layer.firstSegment(),
        now -> now.planned().filter(layer::equals).isPresent(),
        pass);
    pass.requireNoDamage();
    layers.open(filter, layer, layer.openedAt(clock.instant()));
  }

  /**
   * Makes and activates segments from a first one on.
   *
   * @param isEmpty whether they hold nothing yet in what the filter is by now
   */
  private void complete(Filter filter, int first, Predicate<Filter> isEmpty, SegmentPass pass) {
    var births = new ConcurrentHashMap<Integer, String>();
    pass.each(
        first,
        filter.segments(),
        segment ->
            segments
                .make(filter, segment)
                .invoke(made -> made.ifPresent(birth -> births.put(segment, birth)))
                .replaceWithVoid());
    requireStillEmpty(filter, isEmpty);
    pass.each(
        first,
        filter.segments(),
        segment ->
            births.containsKey(segment)
                ? segments.activate(filter, segment, births.get(segment))
                : Uni.createFrom().voidItem());
  }

  private void requireStillEmpty(Filter filter, Predicate<Filter> isEmpty) {
    var generations = await(filters.outline(filter.name())).generations();
    if (generations.stream().noneMatch(now -> isSame(filter, now) && isEmpty.test(now))) {
      throw new StaleFilterException(false);
    }
  }

  private static boolean isSame(Filter filter, Filter now) {
    return now.generation().equals(filter.generation()) && now.revision() == filter.revision();
  }
}
