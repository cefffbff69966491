package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.BitmapVersion;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.Slice;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.store.JournalStore;
import io.github.bloomgate.store.SegmentBytes;
import io.github.bloomgate.store.StaleFilterException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Segments that forget or count, read and written as a whole: each element is as old in what is
 * written, and there as often. For threads that may wait.
 */
@ApplicationScoped
public class ContentCopies {

  /** Two copies, each as it came too, and what is written. */
  private static final int HELD = 5;

  /** Each attempt but the first means that somebody wrote the segment at this very moment. */
  private static final int MAX_ATTEMPTS = 100;

  private final LiveFilters live;
  private final JournalStore journals;
  private final MemoryBudget memory;

  public ContentCopies(LiveFilters live, JournalStore journals, MemoryBudget memory) {
    this.live = live;
    this.journals = journals;
    this.memory = memory;
  }

  /**
   * Adds what a segment of a filter holds, at a moment since this was asked, to the same segment of
   * a next generation that has the same window, or counts too. What was added to that stays.
   *
   * @throws io.github.bloomgate.model.error.BloomException FILTER_CHANGED if the filter has
   *     changed, REBUILD_NOT_FOUND if the next generation is gone, STORE_FULL, FILTER_DAMAGED,
   *     OVERLOADED
   */
  public void copy(Filter source, Filter next, int segment) {
    write(
        next,
        segment,
        meanwhile ->
            live.onSegment(source, segment, () -> follow(source, segment))
                .onFailure(StaleFilterException.class)
                .transform(stale -> FilterErrors.changed(source.name())));
  }

  /**
   * Likewise adds what the same segment of a file holds.
   *
   * @param bytes its counters; or its slices, the newest first
   * @param newest where it is in its window, if it has one
   */
  public void load(
      Filter next, int segment, byte[] bytes, long insertions, Optional<Slice> newest) {
    write(
        next,
        segment,
        meanwhile ->
            Uni.createFrom()
                .item(
                    newest.isPresent()
                        ? ofSlices(next, segment, bytes, insertions, newest.get(), meanwhile)
                        : ofCounters(next, segment, bytes, insertions)));
  }

  private static SegmentCopy ofCounters(Filter next, int segment, byte[] bytes, long insertions) {
    var counts =
        new SegmentCounts(BitCount.of(bytes, 0, bytes.length), insertions, Counters.count(bytes));
    return new SegmentCopy(next.shapeOf(segment), 0, bytes, 0, 0, "", counts);
  }

  /**
   * Of a Redis whose clock was ahead the newest slice counts as begun now: else nothing would be
   * forgotten before that time has come.
   */
  private static SegmentCopy ofSlices(
      Filter next,
      int segment,
      byte[] bytes,
      long insertions,
      Slice newest,
      SegmentCopy meanwhile) {
    var window = next.window().orElseThrow();
    var number =
        window.isByTime()
            ? Math.min(newest.number(), meanwhile.content().slice().orElseThrow().now())
            : newest.number();
    return SegmentCopy.ofWindow(
        next.shapeOf(segment),
        window,
        window.inRings(bytes, number),
        0,
        0,
        "",
        new SegmentCounts(BitCount.of(bytes, 0, bytes.length), insertions),
        new Slice(number, newest.taken(), number));
  }

  /**
   * Reads a segment with what is journaled, as of a moment since this was asked. Of one that
   * forgets it is what is remembered: its slices, the newest first.
   *
   * @throws StaleFilterException if it is missing or holds another generation
   * @throws io.github.bloomgate.model.error.BloomException FILTER_DAMAGED, OVERLOADED
   */
  public SegmentBytes read(Filter filter, int segment) {
    return await(
        holding(
            filter,
            segment,
            () ->
                live.onSegment(filter, segment, () -> journals.look(filter, segment))
                    .map(copy -> bytesOf(filter, copy))));
  }

  private static SegmentBytes bytesOf(Filter filter, SegmentCopy copy) {
    copy.content().turn();
    var bytes = copy.snapshot();
    var newest = copy.content().slice();
    return new SegmentBytes(
        newest
            .map(slice -> filter.window().orElseThrow().byAge(bytes, slice.number()))
            .orElse(bytes),
        copy.counts(),
        new BitmapVersion(copy.counts().bitsSet() + ":" + copy.reached().mark()),
        newest);
  }

  /**
   * Adds what a copy has to a segment of a next generation, unless a slice begins at this moment,
   * or somebody writes a snapshot there, or adds bit by bit: then again, with a new copy.
   *
   * @param made makes the copy, from that of the next generation
   */
  private void write(Filter next, int segment, Function<SegmentCopy, Uni<SegmentCopy>> made) {
    for (var attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (await(holding(next, segment, () -> writeOnce(next, segment, made)))) {
        return;
      }
    }
    throw FilterErrors.changed(next.name());
  }

  private Uni<Boolean> writeOnce(
      Filter next, int segment, Function<SegmentCopy, Uni<SegmentCopy>> made) {
    return follow(next, segment)
        .chain(
            meanwhile ->
                made.apply(meanwhile)
                    .chain(
                        copy -> {
                          copy.addAll(meanwhile);
                          return journals.put(next, segment, copy, meanwhile.reached());
                        }))
        .onFailure(StaleFilterException.class)
        .transform(stale -> RebuildErrors.notFound(next.name()));
  }

  private <T> Uni<T> holding(Filter filter, int segment, Supplier<Uni<T>> work) {
    return memory.holding(Use.BITMAPS, HELD * filter.shapeOf(segment).segmentBytes(), work);
  }

  private Uni<SegmentCopy> follow(Filter filter, int segment) {
    return journals.follow(filter, segment).map(copy -> copy.orElseThrow(StoreErrors::full));
  }
}
