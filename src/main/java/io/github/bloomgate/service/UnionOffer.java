package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.smallrye.mutiny.Uni;
import java.util.function.Supplier;

/**
 * The elements of a request that fall into one segment, which may be added together with those of
 * other requests.
 *
 * @param filter the generation they are added to
 * @param calls how script calls are made
 * @param bitByBit adds them without others, where that is cheaper
 */
record UnionOffer(
    Filter filter,
    int segment,
    HashedElements elements,
    SegmentCalls calls,
    Supplier<Uni<?>> bitByBit) {

  /** How many elements. */
  int count() {
    return elements.count(segment);
  }
}
