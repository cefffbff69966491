package io.github.bloomgate.elements;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.SegmentBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** The elements of a request with their bits, by segment, and in order within a segment. */
public final class HashedElements {

  private final int k;
  private final int perBatch;

  /** The index of the first segment of the layer they were hashed for. */
  private final int firstSegment;

  /** Of one element after the other, by segment; unsigned. */
  private final int[] positions;

  /** The places of the elements of the layer's segment s are at starts[s] to starts[s + 1]. */
  private final int[] order;

  private final int[] starts;

  private HashedElements(
      int k, int perBatch, int firstSegment, int[] positions, int[] order, int[] starts) {
    this.k = k;
    this.perBatch = perBatch;
    this.firstSegment = firstSegment;
    this.positions = positions;
    this.order = order;
    this.starts = starts;
  }

  /**
   * Sorts elements of a filter with one layer by segment.
   *
   * @throws BloomException as {@link ElementHashes#locate}
   */
  public static HashedElements of(FilterParameters parameters, List<byte[]> elements) {
    var hashes = new ElementHashes.Bytes(parameters.hashScheme(), elements);
    return of(parameters, parameters.shape(), 0, hashes, allOf(hashes));
  }

  /**
   * Likewise, in one of the layers of a filter.
   *
   * @param places which of the elements, in order
   */
  static HashedElements of(
      FilterParameters parameters, Layer layer, ElementHashes hashes, int[] places) {
    return of(parameters, layer.shape(), layer.firstSegment(), hashes, places);
  }

  /** The places of all elements. */
  static int[] allOf(ElementHashes hashes) {
    return IntStream.range(0, hashes.count()).toArray();
  }

  private static HashedElements of(
      FilterParameters parameters,
      FilterShape bitmaps,
      int firstSegment,
      ElementHashes hashes,
      int[] places) {
    var shape = parameters.places(bitmaps);
    var k = shape.numHashFunctions();
    var perBatch = SegmentBatch.mostElements(parameters, k);
    var count = places.length;
    var positions = new int[Math.multiplyExact(count, k)];
    var segmentOf = new int[count];
    var starts = new int[shape.segments() + 1];
    var found = new long[Math.max(2, k)];
    for (var i = 0; i < count; i++) {
      var segment = hashes.locate(places[i], shape, found);
      segmentOf[i] = segment;
      starts[segment + 1]++;
      var first = i * k;
      for (var j = 0; j < k; j++) {
        positions[first + j] = (int) found[j];
      }
    }
    for (var segment = 0; segment < shape.segments(); segment++) {
      starts[segment + 1] += starts[segment];
    }
    if (shape.segments() == 1) {
      return new HashedElements(k, perBatch, firstSegment, positions, places, starts);
    }
    var order = new int[count];
    var sorted = new int[positions.length];
    var next = starts.clone();
    for (var i = 0; i < count; i++) {
      var at = next[segmentOf[i]]++;
      order[at] = places[i];
      System.arraycopy(positions, i * k, sorted, at * k, k);
    }
    return new HashedElements(k, perBatch, firstSegment, sorted, order, starts);
  }

  /** How many elements there are. */
  int count() {
    return order.length;
  }

  /** The segments that have an element. */
  public List<Integer> segments() {
    var segments = new ArrayList<Integer>();
    for (var segment = 0; segment + 1 < starts.length; segment++) {
      if (starts[segment + 1] > starts[segment]) {
        segments.add(firstSegment + segment);
      }
    }
    return segments;
  }

  /** How many elements fall into a segment. */
  int count(int segment) {
    return end(segment) - start(segment);
  }

  private int start(int segment) {
    return starts[segment - firstSegment];
  }

  private int end(int segment) {
    return starts[segment - firstSegment + 1];
  }

  /** The place, among all elements, of one of those of a segment. */
  int indexOf(int segment, int place) {
    return order[start(segment) + place];
  }

  /** The elements of a segment, to be added or tested with a copy of it. */
  SegmentWork work(int segment, SegmentWork.Kind kind, Durability durability) {
    return new SegmentWork(kind, durability, positions, start(segment), count(segment));
  }

  /** Notes which elements of a segment a copy knows, by their place among all. */
  void noteKnown(int segment, SegmentCopy copy, BitSet known) {
    for (var i = start(segment); i < end(segment); i++) {
      if (copy.contains(positions, i * k)) {
        known.set(order[i]);
      }
    }
  }

  /** The elements of a segment in batches for one script call each, in order. */
  List<SegmentBatch> batches(int segment) {
    var batches = new ArrayList<SegmentBatch>();
    for (var from = start(segment); from < end(segment); from += perBatch) {
      var size = Math.min(perBatch, end(segment) - from);
      var elements = new int[size];
      var places = new long[size * k];
      for (var i = 0; i < size; i++) {
        elements[i] = order[from + i];
        for (var j = 0; j < k; j++) {
          places[i * k + j] = Integer.toUnsignedLong(positions[(from + i) * k + j]);
        }
      }
      batches.add(new SegmentBatch(segment, elements, places));
    }
    return batches;
  }
}
