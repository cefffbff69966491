package io.github.bloomgate.files;

import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.filters.FilterReader;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.segment.SegmentCopy;
import java.time.Instant;

/** Assembles the segments of a file, one at a time. */
abstract class SegmentAssembly implements FilterFileSink {

  private static final byte[] NOTHING = {};

  private final FilterPlan plan;
  private final Instant latest;
  private byte[] bitmap = NOTHING;
  private byte[] rings = NOTHING;
  private long newest;

  /**
   * @param latest the current time of the destination Redis
   */
  SegmentAssembly(FilterPlan plan, Instant latest) {
    this.plan = plan;
    this.latest = latest;
  }

  /**
   * Receives the content of a segment.
   *
   * @param index among the segments of all layers
   */
  abstract void segment(int index, SegmentCopy content);

  @Override
  public final void block(int segment, long offset, byte[] buffer, int start, int length) {
    if (offset == 0) {
      bitmap = new byte[Math.toIntExact(plan.shapeOf(segment).segmentBytes())];
    }
    System.arraycopy(buffer, start, bitmap, (int) offset, length);
  }

  @Override
  public final void rings(int segment, long newestElement, byte[] some) {
    newest = newestElement;
    rings = some;
  }

  @Override
  public final void endSegment(int segment, SegmentCounts counts, boolean snapshot) {
    var format = FilterReader.format(plan.parameters(), layerOf(segment));
    SegmentCopy content;
    try {
      content =
          plan.parameters().window().isPresent()
              ? format.copyOf(bitmap, counts.insertions(), newest, rings, latest.toEpochMilli())
              : format.copyOf(bitmap, counts.insertions());
    } catch (IllegalArgumentException impossible) {
      throw StreamErrors.corruptImport(
          "the rings of segment %d do not match its bits".formatted(segment), 0);
    }
    segment(segment, content);
  }

  private Layer layerOf(int segment) {
    return plan.layers().stream()
        .filter(layer -> segment < layer.endSegment())
        .findFirst()
        .orElseThrow();
  }
}
