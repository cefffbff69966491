package io.github.bloomgate.http.request;

import io.github.bloomgate.filters.CountingSizing;
import io.github.bloomgate.filters.SizingQuestion;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.error.BloomException;

/**
 * Whether a question about the size of a filter is about one that counts.
 *
 * @param isAsked whether it is
 */
public record CountingQuestion(boolean isAsked) {

  /**
   * Sizes the filter as one that is created with counters.
   *
   * @throws BloomException INVALID_REQUEST if it is not given by n and p, or something does not go
   *     with counting; LIMIT_EXCEEDED if it would be too large
   */
  public CountingSizing solve(
      HashScheme scheme, SizingQuestion question, GrowthQuestion growth, WindowQuestion window) {
    if (window.isAsked()) {
      throw ContentChoice.notWithWindow();
    }
    ContentChoice.refuse(
        "counting", "growsTo", growth.growsTo().orElse(null), ContentChoice.NO_GROWTH);
    var content = new ContentChoice(WindowChoice.NONE, true);
    return CountingSizing.of(content.with(question, scheme, growth).toParameters());
  }
}
