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
import io.github.bloomgate.store.SegmentStore;
import jakarta.inject.Singleton;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Brings whole content into the segments of next generations, while elements are added to these.
 * For threads that may wait.
 *
 * <p>The joined segment has fresh marks, so that every copy of it, of this instance too, is refused
 * by Redis and read again.
 */
@Singleton
public class SegmentJoins {

  /** Each attempt but the first means that others changed the segment within milliseconds. */
  private static final int MAX_ATTEMPTS = 100;

  private final SegmentStore store;
  private final SegmentReads reads;

  public SegmentJoins(SegmentStore store, SegmentReads reads) {
    this.store = store;
    this.reads = reads;
  }

  /**
   * Adds what a copy holds to a segment of a next generation. It holds three times the bytes of a
   * segment beside the copy, which the caller takes from {@link
   * io.github.bloomgate.memory.MemoryBudget}.
   *
   * @param other of the same format; it stays as it is
   * @return false if the next generation has another version by now, because it has grown: read it
   *     again, and try again
   * @throws BloomException REBUILD_NOT_FOUND if the next generation is gone; FILTER_DAMAGED;
   *     FILTER_CHANGED if others changed the segment during each attempt
   */
  public boolean join(GenerationView next, LayerView layer, int index, SegmentCopy other) {
    if (!next.stored().isNext()) {
      throw new IllegalArgumentException("a live generation");
    }
    if (other.isEmpty()) {
      return true;
    }
    for (var attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      switch (write(next, layer, index, other)) {
        case DONE -> {
          return true;
        }
        case CHANGED -> {
          return false;
        }
        case GONE -> throw RebuildErrors.notFound(next.filter().name());
        case DAMAGED -> throw SegmentReads.damaged(next, index);
        case FOLDED, REREAD, BEHIND, EXPIRED -> {
          // It is read again.
        }
        case BARE, BROKEN -> throw new IllegalStateException("Redis refused a joined segment");
      }
    }
    throw FilterErrors.changed(next.filter().name());
  }

  private FoldReply write(GenerationView next, LayerView layer, int index, SegmentCopy other) {
    var found = reads.find(next, index).map(bytes -> SegmentReads.copy(next, layer, index, bytes));
    var copy = found.orElseGet(() -> SegmentCopy.empty(layer.format()));
    var position = copy.position();
    var mark = copy.mark();
    var folded = found.isPresent() ? OptionalLong.of(copy.folded()) : OptionalLong.empty();
    copy.join(other);
    // Who added later elements was told that they were taken: none may be refused when they are
    // read behind the joined content.
    var laterMark =
        copy.takesJournal()
            ? Optional.of(HexFormat.of().parseHex(Changes.newId()))
            : Optional.<byte[]>empty();
    return await(
        store.fold(
            new Fold(
                next.stored(),
                index,
                layer.layout(),
                position,
                mark,
                folded,
                copy.fold(),
                laterMark)));
  }
}
