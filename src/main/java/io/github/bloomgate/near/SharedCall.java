package io.github.bloomgate.near;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A question that many ask at once. Who asks while it is on its way shares the next one, which is
 * sent when the answer is there: an answer is never older than the request it is for. One that asks
 * alone does not wait.
 */
public final class SharedCall<T> {

  private List<Asker<T>> waiting = new ArrayList<>();
  private boolean underWay;

  /**
   * The answer to a call that is sent after this is subscribed to. It is delivered on the Vert.x
   * context of the subscriber where there is one.
   *
   * @param call sends the question; the same for all who ask
   */
  public Uni<T> ask(Supplier<Uni<T>> call) {
    return Uni.createFrom()
        .emitter(emitter -> ask(call, new Asker<>(emitter, Vertx.currentContext())));
  }

  private void ask(Supplier<Uni<T>> call, Asker<T> asker) {
    synchronized (this) {
      if (underWay) {
        waiting.add(asker);
        return;
      }
      underWay = true;
    }
    send(call, List.of(asker));
  }

  private void send(Supplier<Uni<T>> call, List<Asker<T>> askers) {
    call.get()
        .subscribe()
        .with(
            answer -> done(call, askers, emitter -> emitter.complete(answer)),
            failure -> done(call, askers, emitter -> emitter.fail(failure)));
  }

  private void done(
      Supplier<Uni<T>> call, List<Asker<T>> askers, Consumer<UniEmitter<? super T>> tell) {
    List<Asker<T>> next;
    synchronized (this) {
      next = waiting;
      waiting = new ArrayList<>();
      underWay = !next.isEmpty();
    }
    if (!next.isEmpty()) {
      send(call, next);
    }
    askers.forEach(asker -> asker.tell(tell));
  }

  private record Asker<T>(UniEmitter<? super T> emitter, Context context) {
    private void tell(Consumer<UniEmitter<? super T>> tell) {
      if (context == null || context == Vertx.currentContext()) {
        tell.accept(emitter);
      } else {
        context.runOnContext(ignored -> tell.accept(emitter));
      }
    }
  }
}
