package io.github.bloomgate.elements;

import java.util.function.IntUnaryOperator;

/** What becomes of the elements of a request. Filled by one call after the other or by several. */
interface ElementResults {

  /**
   * Notes what one call tells.
   *
   * @param sent how many elements it was made for
   * @param index the index in the request of the i-th of them
   */
  void note(SegmentResult result, int sent, IntUnaryOperator index);

  /** Whether a segment has refused an element. */
  boolean isFull();
}
