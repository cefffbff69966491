package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.segment.Verdict;
import java.util.List;
import java.util.Set;

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
      var refused = part.count(Verdict.REFUSED);
      if (refused > 0) {
        throw part == request.live()
            ? full(part.generation(), part, part.count() - refused)
            : fullNext(part.generation());
      }
    }
  }

  /**
   * The failure of an add to several filters.
   *
   * @param complete the filters that have all elements
   * @param first the failure of the first of the others
   */
  static BloomException inPart(
      List<ElementRequest> requests, Set<FilterName> complete, BloomException first) {
    var counting =
        requests.stream()
            .filter(request -> request.changesCounters() && request.isAppliedInPart())
            .toList();
    var isExact = counting.stream().allMatch(request -> complete.contains(request.name()));
    var outcome =
        "%d of the %d filters have all elements; addedTo names them. Repeat the request for the others.%s"
            .formatted(
                complete.size(),
                requests.size(),
                isExact ? "" : " Elements that a counting filter already has then count twice.");
    var details = new ProblemDetails.AddedTo(complete.stream().map(FilterName::value).toList());
    var isUnknown = !counting.isEmpty() && first.code().isRepeated();
    return (isUnknown ? StoreErrors.inPart(first) : first).withOutcome(outcome, details);
  }

  private static BloomException full(Generation generation, ElementPart part, int added) {
    // With one segment, all new elements after the first refused one were refused too.
    var isInOrder = !(generation.kind() instanceof Growth) && generation.segments() == 1;
    var applied = isInOrder ? part.first(Verdict.REFUSED) : added;
    return BloomException.of(
        ErrorCode.FILTER_FULL,
        generation.kind() instanceof Growth growth
            ? "The filter '%s' is full: it has %d layers with %d bytes in total, and another would exceed its maxSizeBytes of %d or the maximum number of layers. Rebuild it with a larger maxSizeBytes or more expectedInsertions."
                .formatted(
                    generation.name(),
                    generation.layers().size(),
                    generation.sizeBytes(),
                    growth.maxSizeBytes())
            : "The filter '%1$s' holds its %2$d expected insertions and rejects new elements. Rebuild it with more expectedInsertions or with \"whenFull\": \"accept\": POST /v1/filters/%1$s/rebuild."
                .formatted(generation.name(), generation.expectedInsertions()),
        "%d of the %d elements of this request were applied.".formatted(applied, part.count()),
        new ProblemDetails.Applied(applied, isInOrder));
  }

  /** The next generation cannot take an element that the live one took. */
  private static BloomException fullNext(Generation next) {
    return BloomException.of(
        ErrorCode.FILTER_FULL,
        "The next generation of the filter '%s' holds its %d expected insertions and rejects new elements, so the elements of this request would be lost when the rebuild is committed. Abort the rebuild, or open one for more elements."
            .formatted(next.name(), next.parameters().expectedInsertions()),
        new ProblemDetails.Applied(0, false));
  }
}
