package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.WholeSegments;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.RawStore;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;

/**
 * Joins content with the next generation: reads a segment, joins it, writes it. Includes every
 * element whose add was acknowledged before the start. Blocks. Holds a few segments at a time.
 */
@Singleton
public class ContentLoads {

  /**
   * The memory of a segment: a string and a copy, plus three times the bytes while they are joined.
   */
  private static final int HELD = 5;

  private final WholeSegments segments;
  private final RawStore raw;
  private final MemoryBudget memory;

  ContentLoads(WholeSegments segments, RawStore raw, MemoryBudget memory) {
    this.segments = segments;
    this.raw = raw;
    this.memory = memory;
  }

  /**
   * Joins filters with the shape of the rebuild. The caller must check that they have not been
   * replaced.
   *
   * @throws BloomException FILTER_CHANGED, FILTER_NOT_FOUND, FILTER_DAMAGED; REBUILD_NOT_FOUND;
   *     INVALID_REQUEST if the client has gone
   */
  void load(List<Filter> sources, Rebuild rebuild, Client client) {
    if (rebuild.next().isRaw()) {
      loadRaw(sources, rebuild, client);
      return;
    }
    for (var source : sources) {
      for (var index = 0; index < source.segments(); index++) {
        if (source.isRaw() || source.written().contains(index)) {
          client.requireThere();
          load(source, index, rebuild);
        }
      }
    }
  }

  private void load(Filter source, int index, Rebuild rebuild) {
    var held = memoryToJoin(source.layer(index).format().bitmapBytes());
    try (held;
        var content = read(source, index)) {
      join(rebuild, index, content);
    }
    rebuild.count(0);
  }

  private Holding memoryToJoin(int bytes) {
    return memory.takeOrWait(MemoryBudget.Use.BITMAPS, (long) HELD * bytes);
  }

  /** Reads a segment of a live filter. The caller must close it. */
  public SegmentCopy read(Filter source, int index) {
    if (!source.isRaw()) {
      return segments.read(source, index);
    }
    var format = source.layer(index).format();
    var bitmap = new byte[format.bitmapBytes()];
    for (var from = 0; from < bitmap.length; from += RawStore.MAX_BYTES) {
      var part = readRaw(source, from, Math.min(RawStore.MAX_BYTES, bitmap.length - from));
      System.arraycopy(part, 0, bitmap, from, part.length);
    }
    return format.copyOf(bitmap, insertions(source, BitCount.of(bitmap, 0, bitmap.length)));
  }

  public byte[] readRaw(Filter source, long from, int count) {
    var bytes = await(raw.read(source.raw(), from, count));
    // The last byte may have unused bits.
    var unused = (int) (Byte.SIZE * (from + count) - source.shape().segmentBits());
    if (unused > 0) {
      bytes[count - 1] &= (byte) (0xff << unused);
    }
    return bytes;
  }

  /**
   * The insertions of a raw filter. Adds by other clients of a library are not counted, but
   * estimated from the bits.
   */
  public long insertions(Filter source, long bitsSet) {
    var counted = await(raw.counts(source.raw())).insertions();
    var shape = source.shape();
    return source.countsAllInsertions()
        ? counted
        : Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions())
            .orElse(counted);
  }

  /** Joins content with a segment of the next generation, which must not be raw. */
  public void join(Rebuild rebuild, int index, SegmentCopy content) {
    segments.join(rebuild.view(), index, content);
  }

  /** Sets bits of a raw next generation. */
  public void fill(Rebuild rebuild, long from, byte[] bytes, long insertions) {
    if (insertions == 0 && BitCount.of(bytes, 0, bytes.length) == 0) {
      return;
    }
    await(raw.fill(rebuild.view().raw(), from, bytes, insertions));
  }

  /** In parts, because a library's bitmap may have 512 MiB. */
  private void loadRaw(List<Filter> sources, Rebuild rebuild, Client client) {
    var length = rebuild.next().shape().segmentBytes();
    var bitsSet = 0L;
    for (var from = 0L; from < length; from += RawStore.MAX_BYTES) {
      client.requireThere();
      var held = memoryToJoin(RawStore.MAX_BYTES);
      try (held) {
        var block = union(sources, from, (int) Math.min(RawStore.MAX_BYTES, length - from));
        bitsSet += BitCount.of(block, 0, block.length);
        fill(rebuild, from, block, from + block.length == length ? union(sources, bitsSet) : 0);
      }
      rebuild.count(0);
    }
  }

  private byte[] union(List<Filter> sources, long from, int count) {
    var block = new byte[count];
    for (var source : sources) {
      var part = bytes(source, from, count);
      for (var i = 0; i < count; i++) {
        block[i] |= part[i];
      }
    }
    return block;
  }

  private byte[] bytes(Filter source, long from, int count) {
    if (source.isRaw()) {
      return readRaw(source, from, count);
    }
    try (var content = read(source, 0)) {
      return Arrays.copyOfRange(content.bitmap(), (int) from, (int) from + count);
    }
  }

  /** Estimated from the bits, limited by the largest source and the sum of all. */
  private long union(List<Filter> sources, long bitsSet) {
    var most = 0L;
    var sum = 0L;
    for (var source : sources) {
      var some = insertionsOf(source, bitsSet);
      most = Math.max(most, some);
      sum += some;
    }
    var shape = sources.get(0).shape();
    var estimate =
        Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions());
    return Math.max(most, Math.min(sum, estimate.orElse(sum)));
  }

  private long insertionsOf(Filter source, long bitsSet) {
    if (source.isRaw()) {
      return insertions(source, bitsSet);
    }
    try (var content = read(source, 0)) {
      return content.content().insertions();
    }
  }
}
