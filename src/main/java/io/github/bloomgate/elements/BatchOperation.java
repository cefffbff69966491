package io.github.bloomgate.elements;

import io.github.bloomgate.model.error.BloomException;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.OptionalInt;

/** The operation of a stream, performed on one batch of elements after the other. */
@FunctionalInterface
public interface BatchOperation {

  Uni<Flags> apply(List<byte[]> batch);

  /**
   * Called at the end of the stream, before its counts are reported. Blocks.
   *
   * @throws BloomException if the batches cannot be acknowledged
   */
  default void acknowledge() {}

  /**
   * Called before the error of a stream that stopped is reported. Blocks.
   *
   * @throws BloomException to report instead, if the batches so far cannot be acknowledged
   */
  default void acknowledgePart() {}

  /** The number of replicas that confirmed all batches, if requested. */
  default OptionalInt replicas() {
    return OptionalInt.empty();
  }
}
