package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.SegmentLayout;

/**
 * One layer of a generation.
 *
 * @param places the shape that contains the positions of an element
 * @param firstSegment the index of its first segment among the segments of all layers
 */
public record LayerView(
    FilterShape places, int firstSegment, SegmentFormat format, SegmentLayout layout) {

  static LayerView of(FilterParameters parameters, Layer layer) {
    var format = parameters.segmentFormat(layer);
    return new LayerView(
        parameters.places(layer.shape()),
        layer.firstSegment(),
        format,
        new SegmentLayout(format.bitmapBytes(), format.headerBytes(), format.journalLimit()));
  }
}
