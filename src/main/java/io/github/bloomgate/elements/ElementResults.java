package io.github.bloomgate.elements;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.SegmentResult;
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

  /** Notes the filter whose segments are asked from now on, with the layers it is known to have. */
  void use(Filter filter);

  /** The filter as it was used last. */
  Filter filter();

  /** Whether it is known of an element of the request that it is in one of the layers. */
  boolean isSettled(int element);

  /**
   * Notes that elements are left for which there is no further layer; nothing unless they are
   * added.
   */
  default void noteFull() {}

  /** Whether a segment has refused an element. */
  default boolean isFull() {
    return false;
  }
}
