package io.github.bloomgate.service;

import io.smallrye.mutiny.Uni;
import java.util.function.Supplier;

/** How a script call on a segment is made, and made again where the segment has to catch up. */
interface SegmentCalls {

  /** Makes each call once. */
  SegmentCalls ONCE =
      new SegmentCalls() {
        @Override
        public <T> Uni<T> on(int segment, Supplier<Uni<T>> call) {
          return call.get();
        }
      };

  /** Makes a call on a segment. */
  <T> Uni<T> on(int segment, Supplier<Uni<T>> call);
}
