package io.github.bloomgate.store;

import io.github.bloomgate.redis.CallerContext;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Lets batches for one destination share calls while calls for it are under way.
 *
 * <p>A batch that meets fewer calls than may be under way is sent in the same turn of its caller's
 * event loop, with those that came in that turn; without an event loop at once. Others gather until
 * one of these calls ends, until no more fit into one call, or until a large one comes, for which a
 * call of its own is no waste: so a batch waits for one call at most, and no more wait than fit
 * into one. Calls are made one after the other in the order in which their batches came; what is
 * kept of a destination ends with its last call. Thread-safe.
 *
 * <p>Each change of a {@link CallQueue} is one short step under the map's lock for its key; calls
 * are made and results delivered outside. The thread that makes a change sends what it made ready,
 * unless somebody is sending for that queue: that one looks again before it leaves.
 *
 * @param <K> what batches must have in common to share a call
 * @param <B> batch
 * @param <A> answer to a batch
 */
public final class Coalescer<K, B, A> {

  /**
   * How many calls for a destination may usually be under way before batches wait. With one, half
   * of the clients would wait while the other half is answered, and each for two round trips; with
   * more, batches share calls less.
   */
  static final int CALLS_IN_FLIGHT = 2;

  private final ConcurrentHashMap<K, CallQueue<WaitingBatch<B, A>>> queues =
      new ConcurrentHashMap<>();
  private final int callsInFlight;
  private final ToIntFunction<K> room;
  private final ToIntFunction<B> size;
  private final BiFunction<K, List<B>, Uni<List<A>>> call;

  /** A coalescer with the usual number of calls under way. */
  Coalescer(
      ToIntFunction<K> room, ToIntFunction<B> size, BiFunction<K, List<B>, Uni<List<A>>> call) {
    this(CALLS_IN_FLIGHT, room, size, call);
  }

  /**
   * A coalescer that makes calls of one kind.
   *
   * @param callsInFlight how many calls for a destination may be under way before batches wait; 1
   *     if no two ever may
   * @param room how much fits into one call
   * @param size how much of it a batch takes
   * @param call one answer for each batch, in order. Fewer, but at least one, if it left the last
   *     ones undone without a trace: they are sent again. Its failure is that of all of them. It
   *     must end by itself
   */
  public Coalescer(
      int callsInFlight,
      ToIntFunction<K> room,
      ToIntFunction<B> size,
      BiFunction<K, List<B>, Uni<List<A>>> call) {
    this.callsInFlight = callsInFlight;
    this.room = room;
    this.size = size;
    this.call = call;
  }

  /**
   * Sends a batch, alone or with others, once it is subscribed to; each subscription sends it.
   *
   * <p>The answer is delivered on the Vert.x context of the subscriber where there is one, else
   * where the call was answered. A batch that is cancelled while it waits is not sent; later,
   * cancelling takes nothing back.
   */
  public Uni<A> send(K destination, B batch) {
    return send(destination, batch, false);
  }

  /**
   * Likewise, for a batch that is itself of several callers: the answer is delivered where the call
   * was answered.
   */
  Uni<A> sendForMany(K destination, B batch) {
    return send(destination, batch, true);
  }

  private Uni<A> send(K destination, B batch, boolean isForMany) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              var caller = CallerContext.current();
              var receiver = isForMany ? CallerContext.none() : caller;
              var waiting =
                  new WaitingBatch<B, A>(
                      batch,
                      answer -> WaitingBatch.deliver(receiver, () -> emitter.complete(answer)),
                      failure -> WaitingBatch.deliver(receiver, () -> emitter.fail(failure)));
              emitter.onTermination(waiting::end);
              add(destination, waiting);
              afterThisTurn(caller, () -> gathered(destination));
            });
  }

  /**
   * Sends several batches, each to a destination of its own, once this is subscribed to. Delivered
   * like the answer to one batch, when there is an answer to each.
   *
   * @param destinations as many as batches
   * @param ofFailure what stands for the answer to a batch whose call failed
   * @return the answers, in order
   */
  public Uni<List<A>> sendAll(
      List<K> destinations, List<B> batches, Function<Throwable, A> ofFailure) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              var caller = CallerContext.current();
              var answers = new AtomicReferenceArray<A>(batches.size());
              var left = new AtomicInteger(batches.size());
              var all = new ArrayList<WaitingBatch<B, A>>(batches.size());
              for (var i = 0; i < batches.size(); i++) {
                var place = i;
                Consumer<A> receiver =
                    answer -> {
                      answers.set(place, answer);
                      if (left.decrementAndGet() == 0) {
                        WaitingBatch.deliver(caller, () -> emitter.complete(listOf(answers)));
                      }
                    };
                all.add(
                    new WaitingBatch<>(
                        batches.get(i),
                        receiver,
                        failure -> receiver.accept(ofFailure.apply(failure))));
              }
              emitter.onTermination(() -> all.forEach(WaitingBatch::end));
              for (var i = 0; i < all.size(); i++) {
                add(destinations.get(i), all.get(i));
              }
              afterThisTurn(caller, () -> destinations.forEach(this::gathered));
            });
  }

  private static <A> List<A> listOf(AtomicReferenceArray<A> answers) {
    var list = new ArrayList<A>(answers.length());
    for (var i = 0; i < answers.length(); i++) {
      list.add(answers.get(i));
    }
    return list;
  }

  private void add(K destination, WaitingBatch<B, A> waiting) {
    change(destination, queue -> queue.add(waiting, size.applyAsInt(waiting.batch())));
  }

  // Requests that an event loop reads in one turn are handled one after the other: what is done
  // after them finds them all.
  private static void afterThisTurn(CallerContext caller, Runnable action) {
    if (!Context.isOnEventLoopThread() || !caller.post(action)) {
      action.run();
    }
  }

  // Those that wait may have been taken along by a call that ended, and their queue have ended too.
  private void gathered(K destination) {
    if (queues.containsKey(destination)) {
      change(destination, CallQueue::hasGathered);
    }
  }

  /** Whether a call for a destination is under way, or batches wait for one. */
  public boolean isBusy(K destination) {
    return queues.containsKey(destination);
  }

  /** How many destinations something is kept of. */
  int busy() {
    return queues.size();
  }

  private void change(K destination, Consumer<CallQueue<WaitingBatch<B, A>>> change) {
    var part = step(destination, change);
    while (!part.isEmpty()) {
      transmit(destination, part);
      part = step(destination, CallQueue::sent);
    }
  }

  private List<WaitingBatch<B, A>> step(
      K destination, Consumer<CallQueue<WaitingBatch<B, A>>> change) {
    var step =
        new Consumer<CallQueue<WaitingBatch<B, A>>>() {
          private List<WaitingBatch<B, A>> part;

          @Override
          public void accept(CallQueue<WaitingBatch<B, A>> queue) {
            change.accept(queue);
            part = queue.take();
          }
        };
    queues.compute(
        destination,
        (key, known) -> {
          var queue =
              known == null
                  ? new CallQueue<WaitingBatch<B, A>>(callsInFlight, room.applyAsInt(key))
                  : known;
          step.accept(queue);
          return queue.isIdle() ? null : queue;
        });
    return step.part;
  }

  private void transmit(K destination, List<WaitingBatch<B, A>> part) {
    var present = new ArrayList<WaitingBatch<B, A>>(part.size());
    var batches = new ArrayList<B>(part.size());
    for (var waiting : part) {
      if (waiting.isPresent()) {
        present.add(waiting);
        batches.add(waiting.batch());
      }
    }
    if (present.isEmpty()) {
      change(destination, queue -> queue.finished(List.of()));
      return;
    }
    Uni<List<A>> answers;
    try {
      answers = call.apply(destination, batches);
    } catch (RuntimeException | Error e) {
      // Whatever it was: a queue that never hears of the end of its call would wait for ever.
      answers = Uni.createFrom().failure(e);
    }
    answers
        .subscribe()
        .with(
            all -> deliver(destination, present, all),
            failure -> fail(destination, present, failure));
  }

  // What waits is sent before the answers are handed out, so that Redis has something to do.
  private void deliver(K destination, List<WaitingBatch<B, A>> part, List<A> answers) {
    var answered = answers.size();
    if (answered == 0 || answered > part.size()) {
      fail(
          destination,
          part,
          new IllegalStateException("%d answers to %d batches".formatted(answered, part.size())));
      return;
    }
    change(destination, queue -> queue.finished(part.subList(answered, part.size())));
    for (var i = 0; i < answered; i++) {
      part.get(i).complete(answers.get(i));
    }
  }

  private void fail(K destination, List<WaitingBatch<B, A>> part, Throwable failure) {
    change(destination, queue -> queue.finished(List.of()));
    part.forEach(waiting -> waiting.fail(failure));
  }
}
