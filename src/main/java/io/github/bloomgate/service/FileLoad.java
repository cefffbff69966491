package io.github.bloomgate.service;

import io.github.bloomgate.filter.SegmentCounts;
import io.github.bloomgate.portable.FilterFileSink;
import io.github.bloomgate.store.SegmentStore;
import java.util.Arrays;

/**
 * Carries the blocks of a file into hidden content, several in one call, and waits for each call.
 * Parts without a bit are left out: the content is empty where nothing was loaded.
 */
final class FileLoad implements FilterFileSink {

  private final HiddenContent content;
  private final byte[] part = new byte[SegmentStore.MAX_UNION_BYTES];
  private long partOffset;
  private int size;

  FileLoad(HiddenContent content) {
    this.content = content;
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
    if (insertions > 0 || hasBits(bytes)) {
      content.union(segment, partOffset, bytes, insertions).await().indefinitely();
    }
  }

  private static boolean hasBits(byte[] bytes) {
    for (var value : bytes) {
      if (value != 0) {
        return true;
      }
    }
    return false;
  }
}
