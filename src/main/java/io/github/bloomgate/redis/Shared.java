package io.github.bloomgate.redis;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Work whose result all share who ask while it is under way. Each gets it on its own Vert.x
 * context, where it has one: a result that is memoized reaches all who wait on the context of the
 * first who asked, and what they do next is done as if for that request. Thread-safe.
 *
 * @param <T> result
 */
public final class Shared<T> {

  private final Supplier<Uni<T>> work;

  /** Who waits for the work under way; null while there is none. Guarded by this. */
  private List<Waiting<T>> waiting;

  /** Work that is begun by the first who asks, and again when somebody asks after its end. */
  public Shared(Supplier<Uni<T>> work) {
    this.work = work;
  }

  /** The result of the work; cancelling one subscription does not end it for others. */
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
    Uni<T> begun;
    try {
      begun = work.get();
    } catch (RuntimeException | Error e) {
      // Whatever it was: those who wait would wait for ever.
      begun = Uni.createFrom().failure(e);
    }
    begun
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

    // The context of one may be gone, which must not keep others from the result.
    private void deliver(Consumer<UniEmitter<? super T>> result) {
      try {
        caller.deliver(() -> result.accept(emitter));
      } catch (RuntimeException e) {
        Infrastructure.handleDroppedException(e);
      }
    }
  }
}
