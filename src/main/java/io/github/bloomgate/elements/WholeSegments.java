package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.segment.BlockWriter;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.FoldReply;
import io.github.bloomgate.store.KnownSegment;
import io.github.bloomgate.store.SegmentStore;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Reads whole segments, and joins content with segments of next generations, while elements are
 * added to them. Blocks.
 */
@Singleton
public class WholeSegments {

  /** Each further attempt means that other instances changed the segment within milliseconds. */
  private static final int MAX_ATTEMPTS = 100;

  private final SegmentStore store;
  private final LiveFilters live;

  public WholeSegments(SegmentStore store, LiveFilters live) {
    this.store = store;
    this.live = live;
  }

  /**
   * Reads a segment with its journal, as of some moment during this call. The caller must take
   * twice the bytes of the segment from {@link io.github.bloomgate.memory.MemoryBudget}.
   *
   * <p>After reading all segments, the caller must check that the filter has not been replaced.
   *
   * @param index among the segments of all layers
   * @return an empty copy if nothing was added to the segment
   * @throws BloomException FILTER_DAMAGED if it is missing or malformed; FILTER_CHANGED,
   *     FILTER_NOT_FOUND if it is missing because the filter has new content
   */
  public SegmentCopy read(Filter generation, int index) {
    var found = find(generation, index);
    if (found.isPresent()) {
      return found.get();
    } else if (!generation.written().contains(index)) {
      return SegmentCopy.empty(generation.layer(index).format());
    } else if (!generation.isNext()) {
      live.getUnchanged(generation);
    }
    throw generation.stored().damaged(index);
  }

  private Optional<SegmentCopy> find(Filter generation, int index) {
    var string = await(store.read(generation.stored().content(), index));
    try {
      return string.map(bytes -> SegmentCopy.read(generation.layer(index).format(), bytes));
    } catch (IllegalArgumentException malformed) {
      throw generation.stored().damaged(index);
    }
  }

  /**
   * Adds the content of a copy to a segment of a next generation. The caller must take three times
   * the bytes of a segment, not counting the copy, from {@link
   * io.github.bloomgate.memory.MemoryBudget}.
   *
   * <p>The joined segment has new marks, so that Redis refuses every copy of it, including this
   * instance's, which is then read again.
   *
   * @param other of the same format; not changed
   * @throws BloomException REBUILD_NOT_FOUND if the next generation is gone; FILTER_DAMAGED;
   *     FILTER_CHANGED if other instances changed the segment during every attempt
   */
  public void join(Filter next, int index, SegmentCopy other) {
    if (other.isEmpty()) {
      return;
    }
    for (var attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      switch (write(next, index, other)) {
        case DONE -> {
          return;
        }
        case CHANGED -> throw RebuildErrors.notFound(next.name());
        case DAMAGED -> throw next.stored().damaged(index);
        case FOLDED, REREAD -> {}
      }
    }
    throw FilterErrors.changed(next.name());
  }

  private FoldReply write(Filter next, int index, SegmentCopy other) {
    try (var copy =
        find(next, index).orElseGet(() -> SegmentCopy.empty(next.layer(index).format()))) {
      var known = KnownSegment.of(next.stored(), index, copy);
      copy.join(other);
      // Later elements have been acknowledged, so none may be refused when replayed after the
      // joined content.
      var laterMark =
          copy.takesJournal() ? Optional.of(BlockWriter.freshMark()) : Optional.<byte[]>empty();
      return await(store.fold(known, copy.fold(), laterMark));
    }
  }
}
