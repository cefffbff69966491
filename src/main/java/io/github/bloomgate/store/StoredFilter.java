package io.github.bloomgate.store;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;

/**
 * A filter as it was found, with what its first segment counted at that moment.
 *
 * @param filter the filter
 * @param firstSegment counts of its first segment, which for most filters is the only one, without
 *     what is only journaled
 * @param isFolded whether nothing is only journaled
 */
public record StoredFilter(Filter filter, SegmentCounts firstSegment, boolean isFolded) {}
