package io.github.bloomgate.elements;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.hash.MissingKeyException;
import io.github.bloomgate.hash.UnsupportedElementException;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.PackedElements;
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

  /** The indexes of the elements of the layer's segment s are at starts[s] to starts[s + 1]. */
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
   * Hashes elements.
   *
   * @throws BloomException INVALID_REQUEST if the filter's scheme has no bits for an element;
   *     SECRET_MISSING if it is keyed and its secret is not known
   */
  public static HashedElements of(FilterParameters parameters, List<byte[]> elements) {
    return of(parameters, parameters.shape(), 0, elements);
  }

  /** Likewise, for one of the layers of a filter. */
  static HashedElements of(FilterParameters parameters, Layer layer, List<byte[]> elements) {
    return of(parameters, layer.shape(), layer.firstSegment(), elements);
  }

  private static HashedElements of(
      FilterParameters parameters, FilterShape bitmaps, int firstSegment, List<byte[]> elements) {
    var scheme = parameters.hashScheme();
    var shape = parameters.places(bitmaps);
    var k = shape.numHashFunctions();
    var perBatch = SegmentBatch.mostElements(parameters, k);
    var count = elements.size();
    var positions = new int[Math.multiplyExact(count, k)];
    var segmentOf = new int[count];
    var starts = new int[shape.segments() + 1];
    var place = new long[Math.max(2, k)];
    for (var i = 0; i < count; i++) {
      var segment = locate(scheme, shape, elements, i, place);
      segmentOf[i] = segment;
      starts[segment + 1]++;
      var first = i * k;
      for (var j = 0; j < k; j++) {
        positions[first + j] = (int) place[j];
      }
    }
    for (var segment = 0; segment < shape.segments(); segment++) {
      starts[segment + 1] += starts[segment];
    }
    if (shape.segments() == 1) {
      return new HashedElements(
          k, perBatch, firstSegment, positions, IntStream.range(0, count).toArray(), starts);
    }
    var order = new int[count];
    var sorted = new int[positions.length];
    var next = starts.clone();
    for (var i = 0; i < count; i++) {
      var at = next[segmentOf[i]]++;
      order[at] = i;
      System.arraycopy(positions, i * k, sorted, at * k, k);
    }
    return new HashedElements(k, perBatch, firstSegment, sorted, order, starts);
  }

  /** Computes where the bits of the element at an index are, as the scheme does. */
  static int locate(
      HashScheme scheme, FilterShape shape, List<byte[]> elements, int i, long[] positions) {
    try {
      return elements instanceof PackedElements packed
          ? scheme.locate(packed.bytes(), packed.start(i), packed.end(i), shape, positions)
          : scheme.locate(elements.get(i), shape, positions);
    } catch (UnsupportedElementException unsupported) {
      throw RequestErrors.unsupportedElement(i, unsupported.getMessage());
    } catch (MissingKeyException missing) {
      throw FilterErrors.secretMissing(missing.origin().map(KeyOrigin::secretId).orElse("(none)"));
    }
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

  /** The index, among all elements, of one of those of a segment. */
  int indexOf(int segment, int place) {
    return order[start(segment) + place];
  }

  /** The elements of a segment, to be added or tested with a copy of it. */
  SegmentWork work(int segment, SegmentWork.Kind kind, Durability durability) {
    return new SegmentWork(kind, durability, positions, start(segment), count(segment));
  }

  /** Notes which elements of a segment a copy knows, by their index among all. */
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
