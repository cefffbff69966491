package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.Window;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** For how long a filter remembers its elements. */
@Schema(
    name = "Window",
    description =
        "For how long elements are remembered, at least and at most, by time or by insertions")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WindowView(
    @Schema(description = "As asked for, if by time") Long seconds,
    @Schema(description = "As asked for, if by insertions") Long insertions,
    @Schema(description = "By time: how long an element is remembered at least")
        Double rememberedAtLeastSeconds,
    @Schema(description = "By time: how long an element is remembered at most")
        Double rememberedAtMostSeconds,
    @Schema(
            description =
                "By insertions: during how many later ones an element is remembered at least; of"
                    + " several segments an average, which chance moves by a few per mille")
        Long rememberedAtLeastInsertions,
    @Schema(description = "By insertions: likewise, at most") Long rememberedAtMostInsertions) {

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
