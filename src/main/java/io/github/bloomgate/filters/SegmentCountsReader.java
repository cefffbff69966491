package io.github.bloomgate.filters;

import io.github.bloomgate.model.CounterCounts;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentFigures;
import io.github.bloomgate.segment.SegmentFormat;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Computes the counts of segments. Windows are as of now, by the clock of the instance. */
@Singleton
public class SegmentCountsReader {

  private final Clock clock;

  SegmentCountsReader(Clock clock) {
    this.clock = clock;
  }

  /**
   * The counts as of the last fold.
   *
   * @throws IllegalArgumentException if the header does not fit the layer
   */
  public SegmentCounts ofHeader(Filter filter, Layer layer, byte[] header) {
    var format = FilterReader.format(filter.parameters(), layer);
    return of(format, format.figures(header));
  }

  /** The counts as of the position of a copy. */
  public SegmentCounts of(SegmentCopy copy) {
    return of(copy.format(), copy.figures());
  }

  private SegmentCounts of(SegmentFormat format, SegmentFigures figures) {
    if (format.kind() instanceof SegmentFormat.Windowed window) {
      var now = Math.max(clock.millis(), figures.newest());
      return new SegmentCounts(
          window.layout().remembered(figures.rings(), now), figures.insertions());
    }
    return format.kind() instanceof SegmentFormat.Counting
        ? new SegmentCounts(
            figures.bitsSet(),
            figures.insertions(),
            new CounterCounts(figures.countersAboveZero(), figures.countersFull()))
        : new SegmentCounts(figures.bitsSet(), figures.insertions());
  }
}
