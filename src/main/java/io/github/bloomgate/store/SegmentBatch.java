package io.github.bloomgate.store;

/**
 * Some elements of a request that fall into the same segment, ready to be sent in one script call.
 *
 * @param segment index of the segment
 * @param elements for each, its index in the request
 * @param positions bit offsets within the segment, k per element, in the order of {@code elements}
 */
public record SegmentBatch(int segment, int[] elements, long[] positions) {

  /** Some of the elements, by their place in this batch. */
  SegmentBatch only(int[] places) {
    var k = positions.length / elements.length;
    var some = new int[places.length];
    var theirs = new long[places.length * k];
    for (var i = 0; i < places.length; i++) {
      some[i] = elements[places[i]];
      System.arraycopy(positions, places[i] * k, theirs, i * k, k);
    }
    return new SegmentBatch(segment, some, theirs);
  }
}
