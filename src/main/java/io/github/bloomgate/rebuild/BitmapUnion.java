package io.github.bloomgate.rebuild;

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
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Joins the bitmaps of live filters into a next generation of the same shape.
 *
 * <p>They are joined here and not in Redis: each is read once, and what they come to is written
 * once. A few segments are under way at a time, with at most 4 MiB of bitmaps for each.
 */
@ApplicationScoped
public class BitmapUnion {

  private static final int SEGMENTS_AT_ONCE = 2;

  /** A block, one that is read, and that as it came. */
  private static final int COPIES = 3;

  private final MemoryBudget memory;
  private final LiveFilters live;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;

  public BitmapUnion(
      LiveFilters live, SegmentStore segments, RebuildStore rebuilds, MemoryBudget memory) {
    this.memory = memory;
    this.live = live;
    this.segments = segments;
    this.rebuilds = rebuilds;
  }

  /**
   * Sets every bit of a next generation that is set in any of the filters; renews the patience of
   * its rebuild with each segment.
   *
   * <p>An element whose add was acknowledged before this began is in what was joined. The bits of a
   * segment of one filter are those of one moment. Whether the filters are the live ones still is
   * for the caller to confirm.
   *
   * @throws BloomException FILTER_CHANGED if one of the filters has changed; REBUILD_NOT_FOUND if
   *     the rebuild is gone; FILTER_NOT_FOUND, FILTER_DAMAGED
   */
  Uni<Void> join(List<Filter> filters, Filter next) {
    return Multi.createFrom()
        .iterable(IntStream.range(0, next.shape().segments()).boxed().toList())
        .onItem()
        .transformToUni(
            segment ->
                new Segment(filters, next, segment)
                    .join()
                    .chain(() -> rebuilds.loaded(next, 0))
                    .replaceWithVoid())
        .merge(SEGMENTS_AT_ONCE)
        .onItem()
        .ignoreAsUni();
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
    private final long length;
    private final List<SegmentReads> reads;
    private final long[] bitsRead;
    private long bitsSet;

    private Segment(List<Filter> filters, Filter next, int index) {
      this.filters = filters;
      this.next = next;
      this.index = index;
      this.length = next.shape().segmentBytes();
      this.reads = filters.stream().map(filter -> new SegmentReads()).toList();
      this.bitsRead = new long[filters.size()];
    }

    private Uni<Void> join() {
      return inTurn(filters.size(), 1, filter -> bringHome(filters.get((int) filter)))
          .chain(this::joinBlocks);
    }

    private Uni<Void> bringHome(Filter source) {
      return live.onSegment(source, index, () -> segments.bringHome(source, index))
          .onFailure(StaleFilterException.class)
          .transform(stale -> FilterErrors.changed(source.name()));
    }

    private Uni<Void> joinBlocks() {
      return inTurn(length, SegmentStore.MAX_READ_BYTES, this::joinBlock);
    }

    private Uni<Void> joinBlock(long offset) {
      var size = (int) Math.min(SegmentStore.MAX_READ_BYTES, length - offset);
      return memory.holding(
          MemoryBudget.Use.BITMAPS, (long) COPIES * size, () -> join(new byte[size], offset));
    }

    private Uni<Void> join(byte[] block, long offset) {
      return inTurn(filters.size(), 1, filter -> read((int) filter, offset, block))
          .chain(() -> write(offset, block));
    }

    private Uni<Void> read(int filter, long offset, byte[] block) {
      var source = filters.get(filter);
      return live.onSegment(source, index, () -> segments.read(source, index, offset, block.length))
          .onFailure(StaleFilterException.class)
          .transform(stale -> FilterErrors.changed(source.name()))
          .invoke(read -> take(filter, read, offset, block))
          .replaceWithVoid();
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

    private Uni<Void> write(long offset, byte[] block) {
      bitsSet += BitCount.of(block, 0, block.length);
      return inTurn(
          block.length,
          SegmentStore.MAX_UNION_BYTES,
          from -> {
            var to = (int) Math.min(block.length, from + SegmentStore.MAX_UNION_BYTES);
            var isLast = offset + to == length;
            return write(offset + from, Arrays.copyOfRange(block, (int) from, to), isLast);
          });
    }

    /** What others added to an adopted bitmap nobody has counted. */
    private long insertions() {
      var counts = reads.stream().map(SegmentReads::counts).toList();
      var sum = BitmapUnion.insertions(next.shape(), counts, bitsSet);
      return filters.stream().anyMatch(Filter::isAdopted)
          ? Sizing.approximateElementCount(
                  bitsSet, next.shape().segmentBits(), next.shape().numHashFunctions())
              .orElse(sum)
          : sum;
    }

    private Uni<Void> write(long offset, byte[] bytes, boolean isLast) {
      var insertions = isLast ? insertions() : 0;
      if (insertions == 0 && BitCount.of(bytes, 0, bytes.length) == 0) {
        return Uni.createFrom().voidItem();
      }
      return segments
          .union(next, index, offset, bytes, insertions)
          .onFailure(StaleFilterException.class)
          .transform(stale -> RebuildErrors.notFound(next.name()))
          .replaceWithVoid();
    }
  }

  private interface Step {
    Uni<Void> from(long offset);
  }

  private static Uni<Void> inTurn(long length, int stride, Step step) {
    return Multi.createFrom()
        .items(LongStream.iterate(0, offset -> offset < length, offset -> offset + stride).boxed())
        .onItem()
        .transformToUniAndConcatenate(step::from)
        .onItem()
        .ignoreAsUni();
  }
}
