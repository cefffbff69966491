package io.github.bloomgate.service;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.filter.FilterParameters;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts the elements of a request by segment, into batches small enough for one script call each.
 */
final class Placement {

  private final List<SegmentBatch> batches = new ArrayList<>();
  private final Map<Integer, OpenBatch> open = new HashMap<>();
  private final int numHashFunctions;
  private final int elementsPerBatch;

  /** A placement without elements, in a filter with so many hash functions. */
  Placement(int numHashFunctions) {
    this.numHashFunctions = numHashFunctions;
    this.elementsPerBatch = elementsPerBatch(numHashFunctions);
  }

  /** How many elements one script call takes. */
  static int elementsPerBatch(int numHashFunctions) {
    return Math.max(1, SegmentStore.MAX_BITS_PER_CALL / numHashFunctions);
  }

  /**
   * The batches that together hold every element once; order is kept within a segment.
   *
   * @throws BloomException INVALID_REQUEST if the filter's scheme has no bits for an element
   */
  static List<SegmentBatch> of(FilterParameters parameters, List<byte[]> elements) {
    var k = parameters.shape().numHashFunctions();
    var placement = new Placement(k);
    var positions = new long[Math.max(2, k)];
    for (var i = 0; i < elements.size(); i++) {
      placement.put(HashedElements.locate(parameters, elements, i, positions), i, positions);
    }
    return placement.batches();
  }

  /** Puts an element, of this index in the request, behind those of its segment. */
  void put(int segment, int element, long[] positions) {
    var batch = open.computeIfAbsent(segment, OpenBatch::new);
    batch.put(element, positions, numHashFunctions);
    if (batch.size == elementsPerBatch) {
      close(batch);
    }
  }

  /** The batches that together hold every element once; order is kept within a segment. */
  List<SegmentBatch> batches() {
    open.values().forEach(this::close);
    return batches;
  }

  private void close(OpenBatch batch) {
    if (batch.size > 0) {
      batches.add(
          new SegmentBatch(
              batch.segment,
              Arrays.copyOf(batch.elements, batch.size),
              Arrays.copyOf(batch.positions, batch.size * numHashFunctions)));
      batch.size = 0;
    }
  }

  private static final class OpenBatch {
    private final int segment;
    private int[] elements = new int[8];
    private long[] positions = new long[64];
    private int size;

    private OpenBatch(int segment) {
      this.segment = segment;
    }

    private void put(int element, long[] from, int k) {
      if (size == elements.length) {
        elements = Arrays.copyOf(elements, 2 * size);
      }
      if ((size + 1) * k > positions.length) {
        positions = Arrays.copyOf(positions, Math.max(2 * positions.length, (size + 1) * k));
      }
      elements[size] = element;
      System.arraycopy(from, 0, positions, size * k, k);
      size++;
    }
  }
}
