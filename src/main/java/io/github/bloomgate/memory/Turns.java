package io.github.bloomgate.memory;

import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs pieces of long requests, a few at a time, so that short requests get in between. Clients
 * take turns: however many pieces one has, the next piece of another is at most one turn away. The
 * pieces of clients that have left are skipped. Thread-safe.
 */
public final class Turns {

  private final int atOnce;

  /** The pieces of each client, those of the client whose turn is next first. */
  private final Map<String, Queue<Piece<?>>> waiting = new LinkedHashMap<>();

  private int running;

  /** The pieces that one thread starts for all, so that pieces that end at once do not nest. */
  private final AtomicInteger starts = new AtomicInteger();

  public Turns(int atOnce) {
    this.atOnce = atOnce;
  }

  /**
   * Runs a piece when it is its turn, on the caller's context if it has one.
   *
   * @return its result; fails with INVALID_REQUEST if its client has left
   */
  public <T> Uni<T> take(Client client, Supplier<Uni<T>> piece) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              enter(new Piece<>(client, piece, emitter, OwnContext.current()));
              start();
            });
  }

  private synchronized void enter(Piece<?> piece) {
    waiting.computeIfAbsent(piece.client.id(), id -> new ArrayDeque<>()).add(piece);
  }

  private void start() {
    if (starts.getAndIncrement() > 0) {
      return;
    }
    var seen = 1;
    while (seen > 0) {
      for (var piece = next(); piece != null; piece = next()) {
        piece.start();
      }
      seen = starts.addAndGet(-seen);
    }
  }

  /** The next piece, or null if none may run. */
  private synchronized Piece<?> next() {
    if (running == atOnce || waiting.isEmpty()) {
      return null;
    }
    running++;
    var client = waiting.keySet().iterator().next();
    var its = waiting.remove(client);
    var piece = its.remove();
    if (!its.isEmpty()) {
      waiting.put(client, its);
    }
    return piece;
  }

  private final class Piece<T> {

    private final Client client;
    private final Supplier<Uni<T>> work;
    private final UniEmitter<? super T> emitter;
    private final OwnContext own;
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    private Piece(
        Client client, Supplier<Uni<T>> work, UniEmitter<? super T> emitter, OwnContext own) {
      this.client = client;
      this.work = work;
      this.emitter = emitter;
      this.own = own;
    }

    /** Never throws, because this thread also starts the pieces of others. */
    private void start() {
      try {
        own.run(this::run);
      } catch (RuntimeException | Error failure) {
        end();
        emitter.fail(failure);
      }
    }

    private void run() {
      Uni.createFrom()
          .deferred(
              () -> {
                client.requireThere();
                return work.get();
              })
          .onTermination()
          .invoke(this::end)
          .subscribe()
          .with(emitter::complete, emitter::fail);
    }

    private void end() {
      if (hasEnded.compareAndSet(false, true)) {
        synchronized (Turns.this) {
          running--;
        }
        Turns.this.start();
      }
    }
  }
}
