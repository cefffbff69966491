package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;
import static io.github.bloomgate.threads.Await.awaitEach;

import io.github.bloomgate.elements.ContentCopies;
import io.github.bloomgate.elements.SegmentReads;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentBytes;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Joins the bitmaps of live filters into a next generation of the same shape and layers. A segment
 * that is full in one of them is full in what they come to, so that an element of a later layer is
 * found there.
 *
 * <p>They are joined here and not in Redis: each is read once, and what they come to is written
 * once. At most 6 MiB of bitmaps are held.
 */
@ApplicationScoped
public class BitmapUnion {

  private static final int WRITES_AT_ONCE = 2;

  /** A block, one that is read, and that as it came. */
  private static final int COPIES = 3;

  private final MemoryBudget memory;
  private final LiveFilters live;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;
  private final ContentCopies copies;

  public BitmapUnion(
      LiveFilters live,
      SegmentStore segments,
      RebuildStore rebuilds,
      MemoryBudget memory,
      ContentCopies copies) {
    this.copies = copies;
    this.memory = memory;
    this.live = live;
    this.segments = segments;
    this.rebuilds = rebuilds;
  }

  /**
   * Sets every bit of a next generation that is set in any of the filters; renews the patience of
   * its rebuild with each segment.
   *
   * <p>The filters have the same layers, and the next generation has them too; it may have grown
   * beyond them meanwhile. An element whose add was acknowledged before this began is in what was
   * joined. The bits of a segment of one filter are those of one moment. Whether the filters are
   * the live ones still is for the caller to confirm. With counters it is one filter only.
   *
   * @throws BloomException FILTER_CHANGED if one of the filters has changed; REBUILD_NOT_FOUND if
   *     the rebuild is gone; FILTER_NOT_FOUND, FILTER_DAMAGED; INVALID_REQUEST if the client has
   *     gone
   */
  void join(List<Filter> filters, Filter next, Client client) {
    for (var segment = 0; segment < filters.get(0).segments(); segment++) {
      client.requireThere();
      if (next.isPlain()) {
        new Segment(filters, next, segment).join();
      } else {
        for (var source : filters) {
          copies.copy(source, next, segment);
        }
      }
      await(rebuilds.loaded(next, 0));
    }
  }

  /**
   * How many adds changed a bit, of one that holds what several hold. It lies between the most that
   * one of them counts and the sum, which counts an element that is in several as often; within
   * that, the bits tell best.
   */
  static long insertions(FilterShape shape, List<SegmentCounts> counts, long bitsSet) {
    var most = counts.stream().mapToLong(SegmentCounts::insertions).max().orElse(0);
    var sum = counts.stream().mapToLong(SegmentCounts::insertions).sum();
    var estimate =
        Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions());
    return Math.max(most, Math.min(sum, estimate.orElse(sum)));
  }

  /** One segment of all filters, block by block. */
  private final class Segment {

    private final List<Filter> filters;
    private final Filter next;
    private final int index;
    private final FilterShape shape;
    private final long length;
    private final List<SegmentReads> reads;
    private final long[] bitsRead;
    private long bitsSet;

    private Segment(List<Filter> filters, Filter next, int index) {
      this.filters = filters;
      this.next = next;
      this.index = index;
      this.shape = next.shapeOf(index);
      this.length = shape.segmentBytes();
      this.reads = filters.stream().map(filter -> new SegmentReads()).toList();
      this.bitsRead = new long[filters.size()];
    }

    private void join() {
      for (var source : filters) {
        ofSource(source, () -> segments.bringHome(source, index));
      }
      for (var offset = 0L; offset < length; offset += SegmentStore.MAX_READ_BYTES) {
        var size = (int) Math.min(SegmentStore.MAX_READ_BYTES, length - offset);
        var held = Math.min((long) COPIES * size, memory.most());
        memory.takeOrWait(MemoryBudget.Use.BITMAPS, held);
        try {
          joinBlock(new byte[size], offset);
        } finally {
          memory.giveBack(MemoryBudget.Use.BITMAPS, held);
        }
      }
    }

    private void joinBlock(byte[] block, long offset) {
      for (var filter = 0; filter < filters.size(); filter++) {
        var source = filters.get(filter);
        take(
            filter,
            ofSource(source, () -> segments.read(source, index, offset, block.length)),
            offset,
            block);
      }
      write(offset, block);
    }

    private <T> T ofSource(Filter source, Supplier<Uni<T>> call) {
      try {
        return await(live.onSegment(source, index, call));
      } catch (StaleFilterException stale) {
        throw FilterErrors.changed(source.name());
      }
    }

    private void take(int filter, SegmentBytes read, long offset, byte[] block) {
      reads.get(filter).add(read);
      var bytes = read.bytes();
      bitsRead[filter] += BitCount.of(bytes, 0, bytes.length);
      if (offset + block.length == length) {
        reads.get(filter).requireCounted(filters.get(filter), index, bitsRead[filter]);
      }
      for (var i = 0; i < block.length; i++) {
        block[i] |= bytes[i];
      }
    }

    private void write(long offset, byte[] block) {
      bitsSet += BitCount.of(block, 0, block.length);
      var pieces =
          IntStream.iterate(
                  0, from -> from < block.length, from -> from + SegmentStore.MAX_UNION_BYTES)
              .boxed()
              .toList();
      try {
        awaitEach(pieces, WRITES_AT_ONCE, from -> write(offset, block, from));
      } catch (StaleFilterException stale) {
        throw RebuildErrors.notFound(next.name());
      }
    }

    private Uni<Void> write(long offset, byte[] block, int from) {
      var to = Math.min(block.length, from + SegmentStore.MAX_UNION_BYTES);
      var bytes = Arrays.copyOfRange(block, from, to);
      var insertions = offset + to == length ? insertions() : 0;
      return insertions == 0 && BitCount.of(bytes, 0, bytes.length) == 0
          ? Uni.createFrom().voidItem()
          : segments.union(next, index, offset + from, bytes, insertions).replaceWithVoid();
    }

    /** What others added to an adopted bitmap nobody has counted. */
    private long insertions() {
      var counts = reads.stream().map(SegmentReads::counts).toList();
      var sum = BitmapUnion.insertions(shape, counts, bitsSet);
      return filters.stream().anyMatch(Filter::isAdopted)
          ? Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions())
              .orElse(sum)
          : sum;
    }
  }
}
