package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.LaterSegments;
import io.github.bloomgate.store.StaleFilterException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Brings the later segments of a generation into being, of a filter or of what a rebuild loads.
 *
 * <p>Whoever does it may be held up anywhere and go on when others have finished, when elements
 * were added, and when a segment that held some of them was lost. What he makes then must not pass
 * for that segment: it would answer "no" for elements that are in the filter. So a segment is made
 * first and put into use later, and in between the filter is looked at once more. If it still is
 * being created, nothing was added to it, nor to any segment seen before, and just those are
 * activated: a segment is known by its birth. If it is not, what he made stays as it is, and the
 * filter counts as damaged, which it is.
 */
@ApplicationScoped
public class SegmentBirths {

  private final FilterStore filters;
  private final LaterSegments segments;

  public SegmentBirths(FilterStore filters, LaterSegments segments) {
    this.filters = filters;
    this.segments = segments;
  }

  /**
   * Makes and activates all later segments. Idempotent. Fails with {@link StaleFilterException} if
   * the generation is not being created any more, or if somebody interfered: look again.
   *
   * @param filter the generation as it was read, while it was being created
   */
  Uni<Void> complete(Filter filter, SegmentPass pass) {
    var births = new ConcurrentHashMap<Integer, String>();
    return makeAll(filter, births, pass)
        .chain(() -> requireStillCreated(filter))
        .chain(() -> activateAll(filter, births, pass));
  }

  private Uni<Void> makeAll(
      Filter filter, ConcurrentMap<Integer, String> births, SegmentPass pass) {
    return pass.each(
        filter.shape().segments(),
        segment ->
            segments
                .make(filter, segment)
                .invoke(made -> made.ifPresent(birth -> births.put(segment, birth)))
                .replaceWithVoid());
  }

  private Uni<Void> requireStillCreated(Filter filter) {
    return filters
        .outline(filter.name())
        .invoke(
            outline -> {
              if (outline.generations().stream().noneMatch(now -> isStillCreated(filter, now))) {
                throw new StaleFilterException(false);
              }
            })
        .replaceWithVoid();
  }

  private static boolean isStillCreated(Filter filter, Filter now) {
    return now.generation().equals(filter.generation())
        && now.revision() == filter.revision()
        && !now.isReady();
  }

  private Uni<Void> activateAll(
      Filter filter, ConcurrentMap<Integer, String> births, SegmentPass pass) {
    return pass.each(
        filter.shape().segments(),
        segment -> {
          var birth = births.get(segment);
          return birth == null
              ? Uni.createFrom().voidItem()
              : segments.activate(filter, segment, birth);
        });
  }
}
