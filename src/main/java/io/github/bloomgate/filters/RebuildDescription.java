package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Rebuild;
import java.time.Duration;

/**
 * A rebuild that is open and what it has loaded.
 *
 * @param rebuild the rebuild
 * @param statistics sums over the segments of the generation it loads
 * @param elapsed since it was opened
 */
public record RebuildDescription(Rebuild rebuild, FilterStatistics statistics, Duration elapsed) {}
