package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.segment.Answer;

/** Interprets the answers of adds. */
public final class AddedElements {

  private AddedElements() {}

  /**
   * Checks that all elements were added.
   *
   * @throws BloomException FILTER_FULL
   */
  public static void requireAll(ElementRequest request) {
    for (var part : request.parts()) {
      var refused = part.count(Answer.REFUSED);
      if (refused > 0) {
        throw part == request.live()
            ? full(part.generation(), part, part.count() - refused)
            : RebuildErrors.full(
                part.generation().name(), part.generation().parameters().expectedInsertions());
      }
    }
  }

  private static BloomException full(Filter filter, ElementPart part, int applied) {
    var parameters = filter.parameters();
    var name = filter.name();
    // With one segment, all new elements after the first refused one were refused too.
    var isInOrder = filter.segments() == 1;
    return parameters
        .growth()
        .map(
            growth ->
                FilterErrors.fullyGrown(
                    name,
                    filter.layers().size(),
                    filter.sizeBytes(),
                    growth.maxSizeBytes(),
                    applied,
                    part.count()))
        .orElseGet(
            () ->
                FilterErrors.full(
                    name,
                    parameters.expectedInsertions(),
                    isInOrder ? part.first(Answer.REFUSED) : applied,
                    part.count(),
                    isInOrder));
  }
}
