package io.github.bloomgate.store;

import io.github.bloomgate.redis.CallerContext;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.util.function.Consumer;

/**
 * A batch, and who waits for its answer.
 *
 * @param <B> batch
 * @param <A> answer to it
 */
final class WaitingBatch<B, A> {

  private final B batch;
  private final Consumer<A> onAnswer;
  private final Consumer<Throwable> onFailure;
  private volatile boolean ended;

  WaitingBatch(B batch, Consumer<A> onAnswer, Consumer<Throwable> onFailure) {
    this.batch = batch;
    this.onAnswer = onAnswer;
    this.onFailure = onFailure;
  }

  /**
   * Hands out a result. The context of one caller may be gone, which must not keep it from others.
   */
  static void deliver(CallerContext receiver, Runnable result) {
    try {
      receiver.deliver(result);
    } catch (RuntimeException e) {
      Infrastructure.handleDroppedException(e);
    }
  }

  B batch() {
    return batch;
  }

  /** Whether anybody still waits. */
  boolean isPresent() {
    return !ended;
  }

  void end() {
    ended = true;
  }

  void complete(A answer) {
    onAnswer.accept(answer);
  }

  void fail(Throwable failure) {
    onFailure.accept(failure);
  }
}
