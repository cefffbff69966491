package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.SegmentStore;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Reads whole segments including their journals. Blocks. */
@Singleton
public class SegmentReads {

  private final SegmentStore store;
  private final LiveFilters live;

  public SegmentReads(SegmentStore store, LiveFilters live) {
    this.store = store;
    this.live = live;
  }

  /**
   * Reads a segment, as of some moment during this call. The caller must take twice the bytes of
   * the segment from {@link io.github.bloomgate.memory.MemoryBudget}.
   *
   * <p>After reading all segments, the caller must check that the filter has not been replaced.
   *
   * @param index among the segments of all layers
   * @return an empty copy if nothing was added to the segment
   * @throws BloomException FILTER_DAMAGED if it is missing or malformed; FILTER_CHANGED,
   *     FILTER_NOT_FOUND if it is missing because the filter has new content
   */
  public SegmentCopy read(GenerationView generation, LayerView layer, int index) {
    var string = find(generation, index);
    if (string.isPresent()) {
      return copy(generation, layer, index, string.get());
    } else if (!generation.written().contains(index)) {
      return SegmentCopy.empty(layer.format());
    } else if (!generation.filter().isNext()) {
      live.getUnchanged(generation.filter());
    }
    throw generation.stored().damaged(index);
  }

  Optional<byte[]> find(GenerationView generation, int index) {
    return await(store.read(generation.stored().content(), index));
  }

  static SegmentCopy copy(GenerationView generation, LayerView layer, int index, byte[] string) {
    try {
      return SegmentCopy.read(layer.format(), string);
    } catch (IllegalArgumentException malformed) {
      throw generation.stored().damaged(index);
    }
  }
}
