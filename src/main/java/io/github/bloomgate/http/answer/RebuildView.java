package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.time.Instant;

/** A rebuild that is open. */
public record RebuildView(
    String id,
    RebuildState state,
    String hashScheme,
    long expectedInsertions,
    double falsePositiveProbability,
    long bitSize,
    int numHashFunctions,
    int segments,
    long sizeBytes,
    WhenFull whenFull,
    @JsonInclude(JsonInclude.Include.NON_NULL) WindowView window,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer slices,
    @JsonInclude(JsonInclude.Include.NON_NULL) Boolean refresh,
    long elementsReceived,
    long insertions,
    long bitsSet,
    double fillRatio,
    Long approximateElementCount,
    double estimatedFalsePositiveProbability,
    long generation,
    Instant openedAt,
    double elapsedSeconds,
    long timeoutSeconds,
    Instant abandonedAt) {

  public static RebuildView of(RebuildDescription description) {
    var rebuild = description.rebuild();
    var next = rebuild.next();
    var parameters = next.parameters();
    var statistics = description.statistics();
    var elements = statistics.approximateElementCount();
    return new RebuildView(
        next.generation().incarnation(),
        RebuildState.OPEN,
        parameters.hashScheme().id(),
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        next.bitSize(),
        next.shape().numHashFunctions(),
        next.segments(),
        next.sizeBytes(),
        parameters.whenFull(),
        parameters.window().map(window -> WindowView.of(window, next.segments())).orElse(null),
        parameters.window().map(Window::slices).orElse(null),
        parameters.window().map(Window::refresh).orElse(null),
        rebuild.elementsReceived(),
        statistics.insertions(),
        statistics.bitsSet(),
        statistics.fillRatio(),
        elements.isPresent() ? elements.getAsLong() : null,
        statistics.estimatedFalsePositiveProbability(),
        next.generation().number(),
        rebuild.openedAt(),
        description.elapsed().toMillis() / 1000.0,
        rebuild.idleTimeout().toSeconds(),
        rebuild.abandonedAt());
  }
}
