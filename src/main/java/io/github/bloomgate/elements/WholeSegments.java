package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.segment.BlockWriter;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.FoldReply;
import io.github.bloomgate.store.KnownSegment;
import io.github.bloomgate.store.RawStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StoredContent.Raw;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Reads whole segments and raw bits, and joins content with those of next generations, while
 * elements are added to them. Blocks.
 */
@Singleton
public class WholeSegments {

  /** Each further attempt means that other instances changed the segment within milliseconds. */
  private static final int MAX_ATTEMPTS = 100;

  private final SegmentStore store;
  private final RawStore raw;
  private final LiveFilters live;

  public WholeSegments(SegmentStore store, RawStore raw, LiveFilters live) {
    this.store = store;
    this.raw = raw;
    this.live = live;
  }

  /** A reader of a generation as it was when the caller found it. */
  public ContentReader reader(Generation generation) {
    return generation.storedContent() instanceof Raw bits
        ? new RawReader(raw, bits, generation.layer(0).format())
        : segmentReader(generation);
  }

  private SegmentReader segmentReader(Generation generation) {
    return new SegmentReader(store, live, generation);
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
  public void join(Generation next, int index, SegmentCopy other) {
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

  private FoldReply write(Generation next, int index, SegmentCopy other) {
    var reader = segmentReader(next);
    try (var copy = reader.find(index).orElseGet(() -> SegmentCopy.empty(reader.format(index)))) {
      var known = KnownSegment.of(next.stored(), index, copy);
      copy.join(other);
      // Later elements have been acknowledged, so none may be refused when replayed after the
      // joined content.
      var laterMark =
          copy.takesJournal() ? Optional.of(BlockWriter.freshMark()) : Optional.<byte[]>empty();
      return await(store.fold(known, copy.fold(), laterMark));
    }
  }

  /**
   * Sets bits of a next generation, which must be raw.
   *
   * @param from the first byte
   * @param bytes up to {@link RawStore#MAX_BYTES}, whose bits are added to those that are set
   * @param insertions to count
   */
  public void fill(Generation next, long from, byte[] bytes, long insertions) {
    await(raw.fill((Raw) next.storedContent(), from, bytes, insertions));
  }
}
