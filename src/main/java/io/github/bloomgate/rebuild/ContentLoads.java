package io.github.bloomgate.rebuild;

import io.github.bloomgate.elements.ContentReader;
import io.github.bloomgate.elements.WholeSegments;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.RawStore;
import io.github.bloomgate.store.StoredContent.Raw;
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
  private final MemoryBudget memory;
  private final ContentTransfers transfers;

  ContentLoads(WholeSegments segments, MemoryBudget memory, ContentTransfers transfers) {
    this.segments = segments;
    this.memory = memory;
    this.transfers = transfers;
  }

  /**
   * Joins filters with the shape of the rebuild. The caller must check that they have not been
   * replaced.
   *
   * @throws BloomException FILTER_CHANGED, FILTER_NOT_FOUND, FILTER_DAMAGED; REBUILD_NOT_FOUND;
   *     INVALID_REQUEST if the client has gone
   */
  void load(ContentTransfer.Kind kind, List<Generation> sources, Rebuild rebuild, Client client) {
    var readers = sources.stream().map(segments::reader).toList();
    if (rebuild.next().storedContent() instanceof Raw next) {
      load(kind, readers, rebuild, next.shape(), client);
      return;
    }
    var total = readers.stream().mapToLong(ContentLoads::bytesToJoin).sum();
    try (var transfer = transfers.begin(kind, rebuild.name(), total)) {
      for (var reader : readers) {
        for (var index : reader.indexes()) {
          client.requireThere();
          load(reader, index, rebuild);
          transfer.wrote(reader.format(index).bitmapBytes());
        }
      }
    }
  }

  private static long bytesToJoin(ContentReader source) {
    return Arrays.stream(source.indexes())
        .mapToLong(index -> source.format(index).bitmapBytes())
        .sum();
  }

  private void load(ContentReader source, int index, Rebuild rebuild) {
    var held = memoryToJoin(source.format(index).bitmapBytes());
    try (held;
        var content = source.read(index)) {
      join(rebuild, index, content);
    }
    rebuild.count(0);
  }

  private Holding memoryToJoin(int bytes) {
    return memory.takeOrWait(MemoryBudget.Use.BITMAPS, (long) HELD * bytes);
  }

  /** Joins content with a segment of the next generation, which must not be raw. */
  public void join(Rebuild rebuild, int index, SegmentCopy content) {
    segments.join(rebuild.view(), index, content);
  }

  /** Sets bits of a raw next generation. */
  public void fill(Rebuild rebuild, long from, byte[] bytes, long insertions) {
    if (insertions != 0 || BitCount.of(bytes, 0, bytes.length) != 0) {
      segments.fill(rebuild.view(), from, bytes, insertions);
    }
  }

  /** In parts, because a library's bitmap may have 512 MiB. */
  private void load(
      ContentTransfer.Kind kind,
      List<ContentReader> sources,
      Rebuild rebuild,
      FilterShape shape,
      Client client) {
    var length = shape.segmentBytes();
    var bitsSet = 0L;
    try (var transfer = transfers.begin(kind, rebuild.name(), length)) {
      for (var from = 0L; from < length; from += RawStore.MAX_BYTES) {
        client.requireThere();
        var held = memoryToJoin(RawStore.MAX_BYTES);
        try (held) {
          var block = union(sources, from, (int) Math.min(RawStore.MAX_BYTES, length - from));
          bitsSet += BitCount.of(block, 0, block.length);
          var isLast = from + block.length == length;
          fill(rebuild, from, block, isLast ? insertions(sources, shape, bitsSet) : 0);
          transfer.wrote(block.length);
        }
        rebuild.count(0);
      }
    }
  }

  private static byte[] union(List<ContentReader> sources, long from, int count) {
    var block = new byte[count];
    for (var source : sources) {
      var part = source.read(from, count);
      for (var i = 0; i < count; i++) {
        block[i] |= part[i];
      }
    }
    return block;
  }

  /** Estimated from the bits, limited by the largest source and the sum of all. */
  private static long insertions(List<ContentReader> sources, FilterShape shape, long bitsSet) {
    var most = 0L;
    var sum = 0L;
    for (var source : sources) {
      var some = source.insertions(bitsSet);
      most = Math.max(most, some);
      sum += some;
    }
    var estimate =
        Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions());
    return Math.max(most, Math.min(sum, estimate.orElse(sum)));
  }
}
