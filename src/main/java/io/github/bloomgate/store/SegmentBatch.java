package io.github.bloomgate.store;

/**
 * Some elements of a request that fall into the same segment, ready to be sent in one script call.
 *
 * @param segment index of the segment
 * @param elements for each, its index in the request
 * @param positions bit offsets within the segment, k per element, in the order of {@code elements}
 */
public record SegmentBatch(int segment, int[] elements, long[] positions) {}
