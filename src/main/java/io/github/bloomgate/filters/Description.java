package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.SliceStatistics;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.segment.SegmentCounts;
import java.util.List;
import java.util.Optional;

/**
 * A filter and its statistics.
 *
 * @param counts of each segment
 * @param rebuild the open rebuild, if any
 * @param source its source, if any
 */
public record Description(
    Generation live,
    List<SegmentCounts> counts,
    Optional<RebuildDescription> rebuild,
    Optional<SourceStatus> source) {

  public FilterStatistics statistics() {
    return FilterStatistics.of(live.plan(), counts);
  }

  public List<FilterStatistics> layers() {
    return FilterStatistics.ofLayers(live.plan(), counts);
  }

  /** The statistics of each slice of its window, newest first. */
  public List<SliceStatistics> slices() {
    return SliceStatistics.of(live.parameters(), counts);
  }
}
