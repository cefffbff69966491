package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.SegmentLayout;

/**
 * One layer of a generation.
 *
 * @param places where the bits of an element are: segments, positions of each, hash functions
 * @param firstSegment the index of its first segment among those of all layers
 * @param format what a segment of it is
 * @param layout how long the parts of such a segment are
 */
public record LayerView(
    FilterShape places, int firstSegment, SegmentFormat format, SegmentLayout layout) {}
