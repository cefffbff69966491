package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.segment.SegmentCounts;
import java.util.List;

/**
 * A filter and the counts of its segments.
 *
 * @param live for each segment of the live generation
 * @param next for each segment of the next generation; empty without a rebuild
 */
record CountedFilter(FoundFilter found, List<SegmentCounts> live, List<SegmentCounts> next) {

  FilterStatistics statistics() {
    return FilterStatistics.of(found.live().plan(), live);
  }
}
