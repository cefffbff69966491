package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Rebuild;
import java.time.Duration;

/**
 * An open rebuild and its statistics.
 *
 * @param statistics of the next generation
 * @param elapsed the time since it was opened
 */
public record RebuildDescription(Rebuild rebuild, FilterStatistics statistics, Duration elapsed) {}
