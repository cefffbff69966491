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

/**
 * The elements of a request by segment, and in order within a segment. Their bits are located when
 * it is known what is to be done with them: few are needed to find that one is not there.
 */
public final class HashedElements {

  private final FilterParameters parameters;
  private final ElementHashes hashes;

  /** Where the positions are. */
  private final FilterShape shape;

  /** The index of the first segment of the layer. */
  private final int firstSegment;

  /** The places of the elements of the layer's segment s are at starts[s] to starts[s + 1]. */
  private final int[] order;

  private final int[] starts;

  private HashedElements(
      FilterParameters parameters,
      ElementHashes hashes,
      FilterShape shape,
      int firstSegment,
      int[] order,
      int[] starts) {
    this.parameters = parameters;
    this.hashes = hashes;
    this.shape = shape;
    this.firstSegment = firstSegment;
    this.order = order;
    this.starts = starts;
  }

  /**
   * Sorts elements of a filter with one layer by segment.
   *
   * @throws BloomException as {@link ElementHashes#of}
   */
  public static HashedElements of(FilterParameters parameters, List<byte[]> elements) {
    var hashes = ElementHashes.of(parameters.hashScheme(), elements);
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
    if (shape.segments() == 1) {
      var starts = new int[] {0, places.length};
      return new HashedElements(parameters, hashes, shape, firstSegment, places, starts);
    }
    var segmentOf = new int[places.length];
    var starts = new int[shape.segments() + 1];
    for (var i = 0; i < places.length; i++) {
      segmentOf[i] = hashes.segment(places[i], shape);
      starts[segmentOf[i] + 1]++;
    }
    for (var segment = 0; segment < shape.segments(); segment++) {
      starts[segment + 1] += starts[segment];
    }
    var order = new int[places.length];
    var next = starts.clone();
    for (var i = 0; i < places.length; i++) {
      order[next[segmentOf[i]]++] = places[i];
    }
    return new HashedElements(parameters, hashes, shape, firstSegment, order, starts);
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

  /**
   * The elements of a segment, to be added or tested with a copy of it.
   *
   * @throws BloomException as {@link ElementHashes#locate}
   */
  SegmentWork work(int segment, SegmentWork.Kind kind, Durability durability) {
    var count = count(segment);
    if (kind == SegmentWork.Kind.TEST
        && parameters.isPlain()
        && hashes instanceof ElementHashes.Words words) {
      return SegmentWork.test(words.of(order, start(segment), count));
    }
    var k = shape.numHashFunctions();
    var positions = new int[Math.multiplyExact(count, k)];
    var found = new long[Math.max(2, k)];
    for (var i = 0; i < count; i++) {
      hashes.locate(indexOf(segment, i), shape, found);
      var first = i * k;
      for (var j = 0; j < k; j++) {
        positions[first + j] = (int) found[j];
      }
    }
    return SegmentWork.of(kind, durability, positions, count);
  }

  /** Notes which elements of a segment a copy knows, by their place among all. */
  void noteKnown(int segment, SegmentCopy copy, BitSet known) {
    var flags = work(segment, SegmentWork.Kind.TEST, Durability.PRIMARY).test(copy);
    for (var i = 0; i < flags.length; i++) {
      if (flags[i]) {
        known.set(indexOf(segment, i));
      }
    }
  }

  /**
   * The elements of a segment in batches for one script call each, in order.
   *
   * @throws BloomException as {@link ElementHashes#locate}
   */
  List<SegmentBatch> batches(int segment) {
    var k = shape.numHashFunctions();
    var perBatch = SegmentBatch.mostElements(parameters, k);
    var found = new long[Math.max(2, k)];
    var batches = new ArrayList<SegmentBatch>();
    for (var from = start(segment); from < end(segment); from += perBatch) {
      var size = Math.min(perBatch, end(segment) - from);
      var elements = new int[size];
      var positions = new long[size * k];
      for (var i = 0; i < size; i++) {
        elements[i] = order[from + i];
        hashes.locate(elements[i], shape, found);
        System.arraycopy(found, 0, positions, i * k, k);
      }
      batches.add(new SegmentBatch(segment, elements, positions));
    }
    return batches;
  }
}
