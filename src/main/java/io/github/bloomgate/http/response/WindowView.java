package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.Window;

/** The window of a filter. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WindowView(
    Long seconds,
    Long insertions,
    Double rememberedAtLeastSeconds,
    Double rememberedAtMostSeconds,
    Long rememberedAtLeastInsertions,
    Long rememberedAtMostInsertions) {

  private static final double MILLIS = 1000;

  static WindowView of(Window window, int segments) {
    return window.isByTime()
        ? new WindowView(
            window.seconds(),
            null,
            window.seconds() * 1.0,
            window.seconds() + window.sliceMillis() / MILLIS,
            null,
            null)
        : new WindowView(
            null,
            window.insertions(),
            null,
            null,
            window.insertions(),
            window.mostRemembered(segments));
  }
}
