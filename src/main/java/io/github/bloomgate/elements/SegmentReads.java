package io.github.bloomgate.elements;

import io.github.bloomgate.model.BitmapVersion;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.SegmentBytes;
import io.github.bloomgate.store.SegmentStore;

/**
 * What was read of one segment, piece by piece, against what it counted meanwhile: a bitmap that
 * has lost bits, or got some that nobody counted, is not handed on.
 */
public final class SegmentReads {

  private BitmapVersion firstVersion;
  private BitmapVersion lastVersion;
  private SegmentCounts first;
  private SegmentCounts last;

  /** Notes one more piece. */
  public void add(SegmentBytes read) {
    if (first == null) {
      first = read.counts();
      firstVersion = read.version();
    }
    last = read.counts();
    lastVersion = read.version();
  }

  /** What the segment counted when the last piece was read. */
  public SegmentCounts counts() {
    return last;
  }

  /** Whether all pieces are of one moment. */
  public boolean isOfOneMoment() {
    return lastVersion.isSameAs(firstVersion);
  }

  /**
   * Compares the bits of all pieces with the counts. Bits are only ever set, so what was read lies
   * between the first and the last count. Those of an adopted filter nobody counts.
   *
   * @throws BloomException FILTER_DAMAGED
   */
  public void requireCounted(Filter filter, int segment, long bitsSet) {
    if (!filter.isAdopted() && (bitsSet < first.bitsSet() || bitsSet > last.bitsSet())) {
      throw FilterErrors.damaged(filter.name(), SegmentStore.bitsKey(filter, segment));
    }
  }
}
