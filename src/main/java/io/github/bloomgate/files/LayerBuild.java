package io.github.bloomgate.files;

import io.github.bloomgate.elements.ElementHashes;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.segment.SegmentContent;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentCounts;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.segment.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The segments of a layer of a {@link FilterBuild}. Not thread-safe.
 *
 * <p>Elements are sorted by segment, because a segment fits into the processor's cache and a filter
 * does not. Within a segment they keep their order, so the outcome is the same as if they were
 * added one after the other.
 */
final class LayerBuild implements AutoCloseable {

  /** The most positions of elements that are sorted at once. */
  private static final int SORTED = 1 << 20;

  private final Layer layer;
  private final SegmentFormat format;
  private final int k;

  /** Null for segments without elements. */
  private final SegmentCopy[] segments;

  /** The elements that are sorted at once. */
  private final int most;

  /** The positions of elements, in the order in which they came. */
  private final int[] positions;

  private final int[] segmentOf;

  /** The index after the last element of each segment in {@link #order}. */
  private final int[] ends;

  /** The elements by segment. */
  private final int[] order;

  private final boolean[] isRefused;
  private final long[] found;

  /** The positions of elements of one segment. */
  private final int[] fetched;

  private long added;

  LayerBuild(Layer layer) {
    this.layer = layer;
    format = layer.format();
    k = format.numHashFunctions();
    segments = new SegmentCopy[layer.shape().segments()];
    most = SORTED / k;
    positions = new int[most * k];
    segmentOf = new int[most];
    ends = new int[segments.length];
    order = new int[most];
    isRefused = new boolean[most];
    found = new long[k];
    fetched = new int[SegmentContent.FETCHED * k];
  }

  /**
   * Adds elements.
   *
   * @param elements their indexes in the hashes, in order
   * @return the refused ones, in order
   */
  int[] add(ElementHashes hashes, int[] elements) {
    var refused = new int[elements.length];
    var count = 0;
    for (var from = 0; from < elements.length; from += most) {
      var some = Math.min(most, elements.length - from);
      sort(hashes, elements, from, some);
      addSorted(some);
      for (var i = 0; i < some; i++) {
        if (isRefused[i]) {
          refused[count++] = elements[from + i];
        }
      }
    }
    return Arrays.copyOf(refused, count);
  }

  private void sort(ElementHashes hashes, int[] elements, int from, int count) {
    Arrays.fill(ends, 0);
    for (var i = 0; i < count; i++) {
      segmentOf[i] = hashes.locate(elements[from + i], layer.places(), found);
      ends[segmentOf[i]]++;
      for (var j = 0; j < k; j++) {
        positions[i * k + j] = (int) found[j];
      }
    }
    for (var segment = 1; segment < ends.length; segment++) {
      ends[segment] += ends[segment - 1];
    }
    // From the last to the first, so that each segment keeps the order.
    var next = ends.clone();
    for (var i = count - 1; i >= 0; i--) {
      order[--next[segmentOf[i]]] = i;
    }
  }

  private void addSorted(int count) {
    Arrays.fill(isRefused, 0, count, false);
    var at = 0;
    for (var segment = 0; segment < ends.length; segment++) {
      while (at < ends[segment]) {
        var some = Math.min(SegmentContent.FETCHED, ends[segment] - at);
        addTo(content(segment), at, some);
        at += some;
      }
    }
  }

  private SegmentContent content(int segment) {
    if (segments[segment] == null) {
      segments[segment] = SegmentCopy.empty(format);
    }
    return segments[segment].content();
  }

  private void addTo(SegmentContent content, int at, int count) {
    for (var i = 0; i < count; i++) {
      System.arraycopy(positions, order[at + i] * k, fetched, i * k, k);
    }
    content.fetch(fetched, 0, count * k);
    for (var i = 0; i < count; i++) {
      var verdict = content.add(fetched, i * k, 0);
      if (verdict == Verdict.CHANGED) {
        added++;
      } else if (verdict == Verdict.REFUSED) {
        isRefused[order[at + i]] = true;
      }
    }
  }

  /** The number of elements that were new. */
  long added() {
    return added;
  }

  Stream<SegmentCounts> counts() {
    return all().stream().map(copy -> copy == null ? SegmentCounts.NONE : copy.counts(0));
  }

  /** All segments in order, with null for one without elements. */
  List<SegmentCopy> all() {
    return Arrays.asList(segments);
  }

  int bitmapBytes() {
    return format.bitmapBytes();
  }

  @Override
  public void close() {
    for (var segment : segments) {
      if (segment != null) {
        segment.close();
      }
    }
  }
}
