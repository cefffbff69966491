package io.github.bloomgate.store;

import io.github.bloomgate.filter.Filter;
import java.util.Map;
import java.util.Optional;

/**
 * What is needed to settle the later segments under a name.
 *
 * @param filter the filter that bears the name now, if any
 * @param segmentSets number of segments by incarnation: the filter's own and those to be freed
 */
public record Outline(Optional<Filter> filter, Map<String, Integer> segmentSets) {}
