package io.github.bloomgate.http.request;

import io.github.bloomgate.filters.SizingQuestion;
import io.github.bloomgate.filters.WindowSizing;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.Optional;

/**
 * What a question about the size of a filter says of a window.
 *
 * @param seconds how long it is, if it is by time
 * @param insertions how many it is, if it is by insertions
 * @param slices into how many it is cut
 */
public record WindowQuestion(
    Optional<Long> seconds, Optional<Long> insertions, Optional<Integer> slices) {

  /**
   * Whether it is about a filter that forgets.
   *
   * @throws BloomException INVALID_REQUEST if it is not, and says how many slices it has; or if it
   *     is by both
   */
  public boolean isAsked() {
    if (seconds.isPresent() && insertions.isPresent()) {
      throw RequestErrors.invalid(
          "A window is given either by windowSeconds or by windowInsertions. Send one of both.");
    }
    var isAsked = seconds.isPresent() || insertions.isPresent();
    if (!isAsked && slices.isPresent()) {
      throw RequestErrors.invalid(
          "slices are of filters with a window. Send windowSeconds or windowInsertions with them, or leave them out.");
    }
    return isAsked;
  }

  /**
   * Sizes the filter as one that is created with such a window.
   *
   * @throws BloomException INVALID_REQUEST if it is not given by n and p, or something does not go
   *     with a window; LIMIT_EXCEEDED if it would be too large
   */
  public WindowSizing solve(HashScheme scheme, SizingQuestion question, GrowthQuestion growth) {
    ContentChoice.refuse(
        "a window", "growsTo", growth.growsTo().orElse(null), WindowChoice.NO_GROWTH);
    var content =
        new ContentChoice(
            new WindowChoice(
                new WindowRequest(seconds.orElse(null), insertions.orElse(null)),
                slices.orElse(null),
                null),
            null);
    return WindowSizing.of(content.with(question, scheme, growth).toParameters());
  }
}
