package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
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
            : fullNext(part.generation());
      }
    }
  }

  private static BloomException full(Filter filter, ElementPart part, int added) {
    var growth = filter.parameters().growth();
    // With one segment, all new elements after the first refused one were refused too.
    var isInOrder = growth.isEmpty() && filter.segments() == 1;
    var applied = isInOrder ? part.first(Answer.REFUSED) : added;
    return BloomException.of(
        ErrorCode.FILTER_FULL,
        growth.isEmpty()
            ? "The filter '%s' holds its %d expected insertions and rejects new elements. Create a larger filter, or one with \"whenFull\": \"accept\"."
                .formatted(filter.name(), filter.expectedInsertions())
            : "The filter '%s' is full: it has %d layers with %d bytes in total, and another would exceed its maxSizeBytes of %d or the maximum number of layers. Rebuild it with a larger maxSizeBytes or more expectedInsertions."
                .formatted(
                    filter.name(),
                    filter.layers().size(),
                    filter.sizeBytes(),
                    growth.get().maxSizeBytes()),
        "%d of the %d elements of this request were applied.".formatted(applied, part.count()),
        new ProblemDetails.Applied(applied, isInOrder));
  }

  /** The next generation cannot take an element that the live one took. */
  private static BloomException fullNext(Filter next) {
    return BloomException.of(
        ErrorCode.FILTER_FULL,
        "The next generation of the filter '%s' holds its %d expected insertions and rejects new elements, so the elements of this request would be lost when the rebuild is committed. Abort the rebuild, or open one for more elements."
            .formatted(next.name(), next.parameters().expectedInsertions()),
        new ProblemDetails.Applied(0, false));
  }
}
