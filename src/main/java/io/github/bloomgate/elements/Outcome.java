package io.github.bloomgate.elements;

import io.github.bloomgate.store.SegmentResult;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/**
 * What became of the work of one request in a turn; neither result nor failure if nothing was done.
 */
record Outcome(Optional<SegmentResult> result, Throwable failure) {

  static final Outcome UNDONE = new Outcome(Optional.empty(), null);

  static Outcome done(SegmentResult result) {
    return new Outcome(Optional.of(result), null);
  }

  static Outcome failed(Throwable failure) {
    return new Outcome(Optional.empty(), failure);
  }

  Uni<Optional<SegmentResult>> toUni() {
    return failure == null ? Uni.createFrom().item(result) : Uni.createFrom().failure(failure);
  }
}
