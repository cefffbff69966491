package io.github.bloomgate.elements;

import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.store.JournalStore;
import io.github.bloomgate.store.StaleFilterException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** Copies segments that forget or count: each element is as old in the copy, and there as often. */
@ApplicationScoped
public class ContentCopies {

  /** Two copies, each as it came too, and what is written. */
  private static final int HELD = 5;

  private final LiveFilters live;
  private final JournalStore journals;
  private final MemoryBudget memory;

  public ContentCopies(LiveFilters live, JournalStore journals, MemoryBudget memory) {
    this.live = live;
    this.journals = journals;
    this.memory = memory;
  }

  /**
   * Adds what a segment of a filter holds, at a moment since this was asked, to the same segment of
   * a next generation that has the same window, or counts too. What was added to that stays.
   *
   * @return false, and nothing was changed, if a slice begins at this moment, or somebody writes a
   *     snapshot of the next generation, or adds to it bit by bit: try again
   * @throws io.github.bloomgate.model.error.BloomException FILTER_CHANGED if the filter has
   *     changed, REBUILD_NOT_FOUND if the next generation is gone, STORE_FULL, FILTER_DAMAGED,
   *     OVERLOADED
   */
  public Uni<Boolean> copy(Filter source, Filter next, int segment) {
    return memory.holding(
        Use.BITMAPS,
        HELD * next.shapeOf(segment).segmentBytes(),
        () ->
            live.onSegment(source, segment, () -> follow(source, segment))
                .onFailure(StaleFilterException.class)
                .transform(stale -> FilterErrors.changed(source.name()))
                .chain(
                    copy ->
                        follow(next, segment)
                            .chain(meanwhile -> write(next, segment, copy, meanwhile))
                            .onFailure(StaleFilterException.class)
                            .transform(stale -> RebuildErrors.notFound(next.name()))));
  }

  private Uni<SegmentCopy> follow(Filter filter, int segment) {
    return journals.follow(filter, segment).map(copy -> copy.orElseThrow(StoreErrors::full));
  }

  private Uni<Boolean> write(Filter next, int segment, SegmentCopy copy, SegmentCopy meanwhile) {
    copy.addAll(meanwhile);
    return journals.put(next, segment, copy, meanwhile.reached());
  }
}
