package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.SliceStatistics;
import io.github.bloomgate.model.source.SourceStatus;
import java.util.List;
import java.util.Optional;

/**
 * A filter and what its content amounts to.
 *
 * @param filter the filter
 * @param statistics sums over its segments
 * @param layers likewise of each of its layers
 * @param slices likewise of each slice of its window, the newest first
 * @param redisKey the Redis key of its first bitmap
 * @param rebuild the rebuild that is open for it, if any
 * @param source what it is rebuilt from, if anything
 */
public record Description(
    Filter filter,
    FilterStatistics statistics,
    List<FilterStatistics> layers,
    List<SliceStatistics> slices,
    String redisKey,
    Optional<RebuildDescription> rebuild,
    Optional<SourceStatus> source) {}
