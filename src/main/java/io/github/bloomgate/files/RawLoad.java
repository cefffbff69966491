package io.github.bloomgate.files;

import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.rebuild.ContentLoads;
import io.github.bloomgate.rebuild.ContentTransfer;
import io.github.bloomgate.rebuild.Rebuild;
import io.github.bloomgate.store.RawStore;
import java.util.Arrays;

/** Sets the bits of a file in a raw generation, many blocks per call. */
final class RawLoad implements FilterFileSink {

  private final ContentLoads loads;
  private final Rebuild rebuild;
  private final ContentTransfer transfer;
  private final byte[] part = new byte[RawStore.MAX_BYTES];
  private long from;
  private int size;

  RawLoad(ContentLoads loads, Rebuild rebuild, ContentTransfer transfer) {
    this.loads = loads;
    this.rebuild = rebuild;
    this.transfer = transfer;
  }

  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    if (size + length > part.length) {
      send(0);
    }
    if (size == 0) {
      from = offset;
    }
    System.arraycopy(buffer, start, part, size, length);
    size += length;
  }

  @Override
  public void endSegment(int segment, long insertions) {
    send(insertions);
  }

  private void send(long insertions) {
    loads.fill(rebuild, from, Arrays.copyOf(part, size), insertions);
    rebuild.count(insertions);
    transfer.wrote(size);
    size = 0;
  }
}
