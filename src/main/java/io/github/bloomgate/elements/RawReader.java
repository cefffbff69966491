package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.RawStore;
import io.github.bloomgate.store.StoredContent.Raw;
import java.util.Optional;

/** Reads raw content, which is one bitmap. */
record RawReader(RawStore store, Raw raw, SegmentFormat format) implements ContentReader {

  @Override
  public int[] indexes() {
    return new int[] {0};
  }

  @Override
  public SegmentFormat format(int index) {
    return format;
  }

  @Override
  public SegmentCopy read(int index) {
    var bitmap = new byte[format.bitmapBytes()];
    for (var from = 0; from < bitmap.length; from += RawStore.MAX_BYTES) {
      var part = read((long) from, Math.min(RawStore.MAX_BYTES, bitmap.length - from));
      System.arraycopy(part, 0, bitmap, from, part.length);
    }
    return SegmentCopy.of(format, bitmap, insertions(BitCount.of(bitmap, 0, bitmap.length)));
  }

  @Override
  public Optional<byte[]> marks() {
    return Optional.empty();
  }

  @Override
  public byte[] read(long from, int count) {
    var bytes = await(store.read(raw, from, count));
    // The last byte may have unused bits.
    var unused = (int) (Byte.SIZE * (from + count) - raw.shape().segmentBits());
    if (unused > 0) {
      bytes[count - 1] &= (byte) (0xff << unused);
    }
    return bytes;
  }

  @Override
  public long insertions(long bitsSet) {
    var counted = await(store.counts(raw)).insertions();
    var shape = raw.shape();
    return raw.countsAllInsertions()
        ? counted
        : Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions())
            .orElse(counted);
  }
}
