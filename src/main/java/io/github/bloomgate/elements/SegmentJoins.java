package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.Changes;
import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.Fold;
import io.github.bloomgate.store.FoldReply;
import io.github.bloomgate.store.KnownSegment;
import io.github.bloomgate.store.SegmentStore;
import jakarta.inject.Singleton;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Joins content with segments of next generations, while elements are added to them. Blocks.
 *
 * <p>The joined segment has new marks, so that Redis refuses every copy of it, including this
 * instance's, which is then read again.
 */
@Singleton
public class SegmentJoins {

  /** Each further attempt means that other instances changed the segment within milliseconds. */
  private static final int MAX_ATTEMPTS = 100;

  private final SegmentStore store;
  private final SegmentReads reads;

  public SegmentJoins(SegmentStore store, SegmentReads reads) {
    this.store = store;
    this.reads = reads;
  }

  /**
   * Adds the content of a copy to a segment of a next generation. The caller must take three times
   * the bytes of a segment, not counting the copy, from {@link
   * io.github.bloomgate.memory.MemoryBudget}.
   *
   * @param other of the same format; not changed
   * @throws BloomException REBUILD_NOT_FOUND if the next generation is gone; FILTER_DAMAGED;
   *     FILTER_CHANGED if other instances changed the segment during every attempt
   */
  public void join(GenerationView next, LayerView layer, int index, SegmentCopy other) {
    if (!next.stored().isNext()) {
      throw new IllegalArgumentException("a live generation");
    }
    if (other.isEmpty()) {
      return;
    }
    for (var attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      switch (write(next, layer, index, other)) {
        case DONE -> {
          return;
        }
        case CHANGED -> throw RebuildErrors.notFound(next.filter().name());
        case DAMAGED -> throw next.stored().damaged(index);
        case FOLDED, REREAD -> {}
      }
    }
    throw FilterErrors.changed(next.filter().name());
  }

  private FoldReply write(GenerationView next, LayerView layer, int index, SegmentCopy other) {
    var copy =
        reads
            .find(next, index)
            .map(bytes -> SegmentReads.copy(next, layer, index, bytes))
            .orElseGet(() -> SegmentCopy.empty(layer.format()));
    var known = KnownSegment.of(next.stored(), index, layer.layout(), copy);
    copy.join(other);
    // Later elements have been acknowledged, so none may be refused when replayed after the joined
    // content.
    var laterMark =
        copy.takesJournal()
            ? Optional.of(HexFormat.of().parseHex(Changes.newId()))
            : Optional.<byte[]>empty();
    var joined = copy.fold();
    copy.free();
    return await(store.fold(new Fold(known, joined, laterMark)));
  }
}
