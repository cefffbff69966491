package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.awaitEach;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * One pass over later segments, a few at a time. One segment that is lost does not keep the others
 * from their turn: what is damaged is told at the end.
 */
final class SegmentPass {

  private static final int CALLS_AT_ONCE = 4;

  private final AtomicReference<BloomException> damage = new AtomicReference<>();

  /** Does something with each segment from 1 on; any failure but a damage ends it. */
  void each(int segments, Function<Integer, Uni<Void>> work) {
    each(1, segments, work);
  }

  /** Likewise with each from the first one given on. */
  void each(int first, int end, Function<Integer, Uni<Void>> work) {
    awaitEach(
        IntStream.range(first, end).boxed().toList(),
        CALLS_AT_ONCE,
        segment ->
            work.apply(segment)
                .onFailure(SegmentPass::isDamage)
                .invoke(failure -> damage.set((BloomException) failure))
                .onFailure(SegmentPass::isDamage)
                .recoverWithNull());
  }

  /** Throws the damage that was met, or one of them. */
  void requireNoDamage() {
    if (damage.get() != null) {
      throw damage.get();
    }
  }

  private static boolean isDamage(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_DAMAGED || error.code() == ErrorCode.WRONG_KEY_TYPE);
  }
}
