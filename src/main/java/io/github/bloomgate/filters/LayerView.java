package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.segment.SegmentFormat;

/**
 * One layer of a generation.
 *
 * @param places the shape that contains the positions of an element
 * @param firstSegment the index of its first segment among the segments of all layers
 */
public record LayerView(FilterShape places, int firstSegment, SegmentFormat format) {

  static LayerView of(FilterParameters parameters, Layer layer) {
    return new LayerView(
        parameters.places(layer.shape()), layer.firstSegment(), parameters.segmentFormat(layer));
  }
}
