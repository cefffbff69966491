package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.SliceStatistics;
import io.github.bloomgate.model.source.SourceStatus;
import java.util.List;
import java.util.Optional;

/**
 * A filter and its statistics.
 *
 * @param statistics of all segments
 * @param layers the statistics of each layer
 * @param slices the statistics of each slice of its window, newest first
 * @param rebuild the open rebuild, if any
 * @param source its source, if any
 */
public record Description(
    Filter filter,
    FilterStatistics statistics,
    List<FilterStatistics> layers,
    List<SliceStatistics> slices,
    Optional<RebuildDescription> rebuild,
    Optional<SourceStatus> source) {}
