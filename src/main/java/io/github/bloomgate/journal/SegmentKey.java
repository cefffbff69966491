package io.github.bloomgate.journal;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Filter;

/**
 * What a copy is of. The name counts though a renamed filter keeps its generation, and whether it
 * is a next generation though a committed one does: who knows it by its old place must learn that
 * it has gone.
 *
 * @param filter with all that a script call needs to know of it
 * @param segment index of the segment
 */
public record SegmentKey(Filter filter, int segment) {

  /** Bits and hash functions of the segment. */
  public FilterShape shape() {
    return filter.shapeOf(segment);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SegmentKey key
        && segment == key.segment
        && filter.isNext() == key.filter.isNext()
        && filter.name().equals(key.filter.name())
        && filter.generation().equals(key.filter.generation())
        && filter.parameters().equals(key.filter.parameters());
  }

  @Override
  public int hashCode() {
    return 31 * filter.generation().hashCode() + 7 * filter.name().hashCode() + segment;
  }
}
