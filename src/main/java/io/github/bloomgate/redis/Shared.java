package io.github.bloomgate.redis;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Work whose result is shared by all callers that ask while it runs. Each gets it on its own Vert.x
 * context; Mutiny's memoize would deliver it to all on the first caller's context. Thread-safe.
 *
 * @param <T> result
 */
public final class Shared<T> {

  private final Supplier<Uni<T>> work;

  /** The callers waiting for running work; null if none is running. Guarded by this. */
  private List<Waiting<T>> waiting;

  /**
   * Does not start the work yet.
   *
   * @param work started by the first caller, and again by a caller after its end
   */
  public Shared(Supplier<Uni<T>> work) {
    this.work = work;
  }

  /** The result of the work. Cancelling one subscription does not affect the others. */
  public Uni<T> result() {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              if (join(new Waiting<>(CallerContext.current(), emitter))) {
                begin();
              }
            });
  }

  private synchronized boolean join(Waiting<T> one) {
    var isFirst = waiting == null;
    if (isFirst) {
      waiting = new ArrayList<>();
    }
    waiting.add(one);
    return isFirst;
  }

  private void begin() {
    // Deferred, so that an exception of the work ends it too: callers would wait forever.
    Uni.createFrom()
        .deferred(work::get)
        .subscribe()
        .with(
            result -> end(emitter -> emitter.complete(result)),
            failure -> end(emitter -> emitter.fail(failure)));
  }

  private void end(Consumer<UniEmitter<? super T>> result) {
    List<Waiting<T>> all;
    synchronized (this) {
      all = waiting;
      waiting = null;
    }
    all.forEach(one -> one.deliver(result));
  }

  private record Waiting<T>(CallerContext caller, UniEmitter<? super T> emitter) {

    // A closed context of one caller must not affect the others.
    private void deliver(Consumer<UniEmitter<? super T>> result) {
      try {
        caller.deliver(() -> result.accept(emitter));
      } catch (RuntimeException e) {
        Infrastructure.handleDroppedException(e);
      }
    }
  }
}
