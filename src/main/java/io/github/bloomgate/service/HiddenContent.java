package io.github.bloomgate.service;

import io.smallrye.mutiny.Uni;

/**
 * The content of a filter that is loaded beside the live one, which nobody sees until it goes live
 * as a whole.
 */
public interface HiddenContent {

  /**
   * Sets every bit of a segment that is set in the given bytes, and keeps all others.
   *
   * @param offset index of the first byte in the bitmap
   * @param bytes at most {@link io.github.bloomgate.store.SegmentStore#MAX_UNION_BYTES}; not
   *     changed by the caller afterwards
   * @param insertions what the segment's insertions grow by
   */
  Uni<Void> union(int segment, long offset, byte[] bytes, long insertions);

  /** Takes the place of the live content, in one step for its readers. */
  Uni<Void> goLive();

  /** Drops what was loaded; the live content stays as it is. */
  Uni<Void> drop();
}
