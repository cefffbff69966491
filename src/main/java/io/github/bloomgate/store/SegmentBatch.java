package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;

/**
 * Some elements of a request that fall into the same segment, ready to be sent in one script call.
 *
 * @param segment index of the segment
 * @param elements for each, its index in the request
 * @param positions bit offsets within the segment, k per element, in the order of {@code elements}
 */
public record SegmentBatch(int segment, int[] elements, long[] positions) {

  /**
   * The most elements of one, with k bits each. Of a filter that forgets, each of its slices is
   * looked at; counters are looked at before they are changed.
   */
  public static int mostElements(FilterParameters parameters, int k) {
    var looks = parameters.counting() ? k : parameters.window().map(Window::looks).orElse(0);
    return Math.max(1, SegmentStore.MAX_BITS_PER_CALL / (k + looks));
  }
}
