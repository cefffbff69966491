package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.WhenFull;
import java.time.Instant;

/** An open rebuild. The fields of its parts stand side by side in JSON. */
public record RebuildView(
    String id,
    String state,
    String hashScheme,
    @JsonUnwrapped ShapeView shape,
    WhenFull whenFull,
    @JsonUnwrapped WindowFields window,
    long elementsReceived,
    @JsonUnwrapped FilterStatistics fill,
    long generation,
    Instant openedAt,
    double elapsedSeconds,
    long timeoutSeconds,
    Instant abandonedAt) {

  public static RebuildView of(RebuildDescription rebuild) {
    var next = rebuild.next();
    var parameters = next.parameters();
    return new RebuildView(
        next.content().incarnation(),
        "open",
        parameters.hashScheme().id(),
        ShapeView.of(next.plan(), parameters.falsePositiveProbability()),
        parameters.whenFull(),
        WindowFields.of(next, null, false),
        rebuild.elementsReceived(),
        rebuild.statistics(),
        next.number(),
        next.createdAt(),
        rebuild.elapsed().toMillis() / 1000.0,
        rebuild.idleTimeout().toSeconds(),
        next.expiresAt().orElseThrow());
  }
}
