package io.github.bloomgate.filters;

import io.github.bloomgate.model.Durability;
import io.smallrye.mutiny.Uni;
import java.util.function.Supplier;

/** How a script call on a segment is made, and made again where the segment has to catch up. */
public interface SegmentCalls {

  /** Makes each call once. */
  SegmentCalls ONCE = once(Durability.PRIMARY);

  /** Makes each call once, and has adds reach so much. */
  static SegmentCalls once(Durability durability) {
    return new SegmentCalls() {
      @Override
      public <T> Uni<T> on(int segment, Supplier<Uni<T>> call) {
        return call.get();
      }

      @Override
      public <T> Uni<T> again(int segment, Throwable failure, Supplier<Uni<T>> call) {
        return Uni.createFrom().failure(failure);
      }

      @Override
      public Durability durability() {
        return durability;
      }
    };
  }

  /** Makes a call on a segment. */
  <T> Uni<T> on(int segment, Supplier<Uni<T>> call);

  /** Makes a call again that has failed, or fails with the same where that is of no use. */
  <T> Uni<T> again(int segment, Throwable failure, Supplier<Uni<T>> call);

  /** What an add must reach. */
  default Durability durability() {
    return Durability.PRIMARY;
  }
}
