package io.github.bloomgate.files;

import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.segment.SegmentCopy;
import java.time.Instant;
import java.util.function.ObjIntConsumer;

/** Assembles the segments of a file, one at a time. */
final class SegmentAssembly implements FilterFileSink {

  private static final byte[] NOTHING = {};

  private final FilterPlan plan;
  private final Instant latest;
  private final ObjIntConsumer<SegmentCopy> segments;
  private byte[] bitmap = NOTHING;
  private byte[] rings = NOTHING;
  private long newest;

  /**
   * @param latest the current time of the destination Redis
   * @param segments receives the content of each segment, and its index in all layers
   */
  SegmentAssembly(FilterPlan plan, Instant latest, ObjIntConsumer<SegmentCopy> segments) {
    this.plan = plan;
    this.latest = latest;
    this.segments = segments;
  }

  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    if (offset == 0) {
      bitmap = new byte[Math.toIntExact(plan.layerOf(segment).shape().segmentBytes())];
    }
    System.arraycopy(buffer, start, bitmap, (int) offset, length);
  }

  @Override
  public void rings(int segment, long newestElement, byte[] some) {
    newest = newestElement;
    rings = some;
  }

  @Override
  public void endSegment(int segment, long insertions) {
    var format = plan.layerOf(segment).format();
    SegmentCopy content;
    try {
      content =
          plan.parameters().kind() instanceof Window
              ? SegmentCopy.of(format, bitmap, insertions, newest, rings, latest.toEpochMilli())
              : SegmentCopy.of(format, bitmap, insertions);
    } catch (IllegalArgumentException impossible) {
      throw StreamErrors.corruptImport(
          "the rings of segment %d do not match its bits".formatted(segment), 0);
    }
    segments.accept(content, segment);
  }
}
