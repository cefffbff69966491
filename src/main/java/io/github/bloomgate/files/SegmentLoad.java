package io.github.bloomgate.files;

import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.Slice;
import io.github.bloomgate.rebuild.RebuildLoads;
import java.util.Optional;

/**
 * Carries the segments of a file into a next generation that counts or forgets, each as a whole,
 * and waits for each.
 */
final class SegmentLoad implements FilterFileSink {

  private final Filter next;
  private final RebuildLoads loads;
  private byte[] bytes = new byte[0];
  private Optional<Slice> newest = Optional.empty();

  SegmentLoad(Filter next, RebuildLoads loads) {
    this.next = next;
    this.loads = loads;
  }

  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    if (offset == 0) {
      bytes = new byte[(int) next.shapeOf(segment).segmentBytes()];
    }
    System.arraycopy(buffer, start, bytes, (int) offset, length);
  }

  @Override
  public void newestSlice(int segment, Slice slice) {
    newest = Optional.of(slice);
  }

  @Override
  public void endSegment(int segment, SegmentCounts counts, boolean snapshot) {
    loads.loadSegment(next, segment, bytes, counts.insertions(), newest);
  }
}
