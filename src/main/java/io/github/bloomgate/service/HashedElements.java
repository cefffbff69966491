package io.github.bloomgate.service;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.FilterErrors;
import io.github.bloomgate.error.RequestErrors;
import io.github.bloomgate.filter.FilterParameters;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.hash.MissingKeyException;
import io.github.bloomgate.hash.UnsupportedElementException;
import io.github.bloomgate.lines.PackedElements;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Many elements with their bits, by segment, and in order within a segment. For segments of at most
 * {@link SegmentStore#MAX_MERGE_BYTES}.
 */
final class HashedElements {

  private final int k;
  private final int[] positions;

  /** The indexes of the elements of segment s are at starts[s] to starts[s + 1]. */
  private final int[] order;

  private final int[] starts;

  private HashedElements(int k, int[] positions, int[] order, int[] starts) {
    this.k = k;
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
  static HashedElements of(FilterParameters parameters, List<byte[]> elements) {
    var shape = parameters.shape();
    var k = shape.numHashFunctions();
    var count = elements.size();
    var positions = new int[Math.multiplyExact(count, k)];
    var segmentOf = new int[count];
    var starts = new int[shape.segments() + 1];
    var place = new long[Math.max(2, k)];
    for (var i = 0; i < count; i++) {
      var segment = locate(parameters, elements, i, place);
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
    var order = new int[count];
    var next = starts.clone();
    for (var i = 0; i < count; i++) {
      order[next[segmentOf[i]]++] = i;
    }
    return new HashedElements(k, positions, order, starts);
  }

  /** Computes where the bits of the element at an index are, as the scheme does. */
  static int locate(FilterParameters parameters, List<byte[]> elements, int i, long[] positions) {
    var scheme = parameters.hashScheme();
    try {
      return elements instanceof PackedElements packed
          ? scheme.locate(
              packed.bytes(), packed.start(i), packed.end(i), parameters.shape(), positions)
          : scheme.locate(elements.get(i), parameters.shape(), positions);
    } catch (UnsupportedElementException unsupported) {
      throw RequestErrors.unsupportedElement(i, unsupported.getMessage());
    } catch (MissingKeyException missing) {
      throw FilterErrors.secretMissing(missing.origin().map(KeyOrigin::secretId).orElse("(none)"));
    }
  }

  /** The segments that have an element. */
  List<Integer> segments() {
    var segments = new ArrayList<Integer>();
    for (var segment = 0; segment + 1 < starts.length; segment++) {
      if (count(segment) > 0) {
        segments.add(segment);
      }
    }
    return segments;
  }

  /** How many elements fall into a segment. */
  int count(int segment) {
    return starts[segment + 1] - starts[segment];
  }

  /** The index, among all elements, of one of those of a segment. */
  int indexOf(int segment, int place) {
    return order[starts[segment] + place];
  }

  /**
   * Sets the bits of a segment's elements in its bitmap, one element after the other.
   *
   * @param changed for each of them, in order, whether it changed a bit
   * @return how many did
   */
  int addTo(byte[] bitmap, int segment, boolean[] changed) {
    var insertions = 0;
    for (var place = starts[segment]; place < starts[segment + 1]; place++) {
      var element = order[place];
      var missing = 0;
      for (var j = element * k; j < (element + 1) * k; j++) {
        var position = positions[j];
        var held = bitmap[position >>> 3];
        var bit = 0x80 >>> (position & 7);
        missing |= ~held & bit;
        bitmap[position >>> 3] = (byte) (held | bit);
      }
      changed[place - starts[segment]] = missing != 0;
      insertions += missing != 0 ? 1 : 0;
    }
    return insertions;
  }

  /**
   * Tests a segment's elements against its bitmap.
   *
   * @param first index of the first of all elements in
   * @param maybe for each, whether it might be contained
   */
  void testIn(byte[] bitmap, int segment, int first, boolean[] maybe) {
    for (var place = starts[segment]; place < starts[segment + 1]; place++) {
      var element = order[place];
      var j = element * k;
      var end = j + k;
      while (j < end && (bitmap[positions[j] >>> 3] & 0x80 >>> (positions[j] & 7)) != 0) {
        j++;
      }
      maybe[first + element] = j == end;
    }
  }

  /** The elements of a segment in batches for one script call each, in order. */
  List<SegmentBatch> batches(int segment) {
    var perBatch = Placement.elementsPerBatch(k);
    var batches = new ArrayList<SegmentBatch>();
    for (var from = starts[segment]; from < starts[segment + 1]; from += perBatch) {
      var size = Math.min(perBatch, starts[segment + 1] - from);
      var elements = new int[size];
      var places = new long[size * k];
      for (var i = 0; i < size; i++) {
        elements[i] = order[from + i];
        for (var j = 0; j < k; j++) {
          places[i * k + j] = positions[elements[i] * k + j];
        }
      }
      batches.add(new SegmentBatch(segment, elements, places));
    }
    return batches;
  }
}
