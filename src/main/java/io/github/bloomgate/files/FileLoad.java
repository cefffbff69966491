package io.github.bloomgate.files;

import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.rebuild.RebuildLoads;
import io.github.bloomgate.store.SegmentStore;
import java.util.Arrays;

/**
 * Carries the blocks of a file into a next generation, several in one call, and waits for each
 * call. ElementChunks without a bit are left out: it is empty where nothing was loaded.
 */
final class FileLoad implements FilterFileSink {

  private final Filter next;
  private final RebuildLoads loads;
  private final byte[] part = new byte[SegmentStore.MAX_UNION_BYTES];
  private long partOffset;
  private int size;

  FileLoad(Filter next, RebuildLoads loads) {
    this.next = next;
    this.loads = loads;
  }

  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    if (size + length > part.length) {
      send(segment, 0);
    }
    if (size == 0) {
      partOffset = offset;
    }
    System.arraycopy(buffer, start, part, size, length);
    size += length;
  }

  @Override
  public void endSegment(int segment, SegmentCounts counts, boolean snapshot) {
    send(segment, counts.insertions());
  }

  private void send(int segment, long insertions) {
    var bytes = Arrays.copyOf(part, size);
    size = 0;
    if (insertions > 0 || BitCount.of(bytes, 0, bytes.length) > 0) {
      loads.load(next, segment, partOffset, bytes, insertions);
    }
  }
}
