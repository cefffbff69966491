package io.github.bloomgate.redis;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.AsyncResult;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * One pipelined connection to one Redis.
 *
 * <p>It connects on first use, and {@link Upkeep} reconnects when the connection is lost. Requests
 * wait for a running attempt to connect, but fail immediately during a pause. Requests are sent in
 * order, and every reply is matched with its request, even after others timed out. Thread-safe.
 */
final class NodeLink {
  private final Supplier<RedisOptions> options;
  private final BloomgateConfig.Redis settings;
  private final long callTimeoutNanos;
  private final LinkMeters meters;

  // Everything below is used only on this event loop, which is also the connection's.
  private final ContextInternal loop;
  private final CallTimeouts deadlines;
  private final Upkeep upkeep;
  private int waiting;

  /**
   * @param options bound the number of waiting requests
   * @param peer its name in the log
   * @param extraTime added to {@code bloomgate.redis.call-timeout}
   */
  NodeLink(
      ContextInternal loop,
      Endpoint endpoint,
      Supplier<RedisOptions> options,
      BloomgateConfig.Redis settings,
      LinkMeters meters,
      String peer,
      Duration extraTime) {
    Duration callTimeout = settings.callTimeout().plus(extraTime);
    this.options = options;
    this.settings = settings;
    this.callTimeoutNanos = callTimeout.toNanos();
    this.meters = meters;
    this.loop = loop;
    var vertx = loop.owner();
    this.upkeep = new Upkeep(vertx, endpoint, settings, callTimeoutNanos, meters, peer);
    this.deadlines = new CallTimeouts(vertx, callTimeout, this::expire);
  }

  /**
   * Sends a request on each subscription, as {@link RedisLink#exchange} does.
   *
   * @param asking whether to send ASKING first
   */
  Uni<Reply> send(Request request, Effect effect, boolean asking) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              Call call =
                  new Call(request, effect, asking, System.nanoTime() + callTimeoutNanos, emitter);
              loop.runOnContext(
                  ignored -> {
                    deadlines.watch(call);
                    dispatch(call);
                  });
            });
  }

  /** Whether it is connected, as far as is known. */
  boolean isConnected() {
    return upkeep.isConnected();
  }

  /** Connects again, because another Redis is about to become the primary. On the event loop. */
  void leave() {
    upkeep.leave();
  }

  /** Connects again unless it is connected to this primary. On the event loop. */
  void leaveUnless(String primary) {
    upkeep.leaveUnless(primary);
  }

  /** Closes the connection; pending and later requests fail. Does not wait. */
  void close() {
    loop.runOnContext(ignored -> upkeep.close());
  }

  /** Closes the connection when all pending requests are done; later ones fail. Does not wait. */
  void retire() {
    loop.runOnContext(ignored -> upkeep.retire());
  }

  private void dispatch(Call call) {
    var session = upkeep.session();
    if (!session.isComplete() && ++waiting > options.get().getMaxWaitingHandlers()) {
      // The driver's limit for pending replies.
      call.fail(LinkFailure.notSent("too many requests are waiting for the connection"));
      return;
    }
    session.onComplete(
        opened -> {
          waiting = 0;
          if (call.done()) {
            // It timed out.
            return;
          }
          if (opened.succeeded()) {
            transmit(call, opened.result());
          } else {
            call.fail(LinkFailure.notSent(opened.cause().getMessage()));
          }
        });
  }

  private void transmit(Call call, Session to) {
    upkeep.verify(to);
    call.sent(to, System.nanoTime());
    if (call.isAsking()) {
      to.ask();
    }
    to.send(call.request()).onComplete(result -> answered(call, to, result));
  }

  private void answered(Call call, Session from, AsyncResult<Response> result) {
    Throwable failure = result.cause();
    if (failure == null || LinkFailure.isServed(failure)) {
      from.hear();
    }
    // The call timed out, or this is the result of its first attempt.
    if (call.done() || call.session() != from) {
      return;
    }
    if (failure == null && from.isDistrusted()) {
      lose(call, from, true, "it is no longer the primary");
      return;
    }
    if (failure == null && call.effect() == Effect.REPLICATED) {
      confirm(call, from, result.result());
      return;
    }
    if (failure == null) {
      call.complete(new Reply(result.result(), 0));
      return;
    }
    var kind = LinkFailure.of(failure);
    switch (kind) {
      case NEVER_SENT, LOST ->
          lose(call, from, kind == LinkFailure.LOST, LinkFailure.reasonOf(failure));
      case STALE -> {
        upkeep.renewIfOld(from);
        call.fail(LinkFailure.refused(failure));
      }
      case REFUSED -> call.fail(LinkFailure.refused(failure));
    }
  }

  private void lose(Call call, Session from, boolean mayHaveRun, String reason) {
    upkeep.lose(from, reason);
    if ((!mayHaveRun || call.effect() == Effect.READ) && call.retry()) {
      meters.retried();
      dispatch(call);
    } else {
      call.fail(
          mayHaveRun ? LinkFailure.unanswered(call.effect(), reason) : LinkFailure.notSent(reason));
    }
  }

  // On the connection that made the change: another could lead to a Redis without it.
  private void confirm(Call call, Session on, Response response) {
    on.confirm(settings.replicas(), settings.replicationTimeout().toMillis())
        .onComplete(
            counted -> {
              if (call.done() || call.session() != on) {
                return;
              }
              if (counted.failed()) {
                if (LinkFailure.of(counted.cause()) != LinkFailure.REFUSED) {
                  upkeep.lose(on, LinkFailure.reasonOf(counted.cause()));
                }
                call.fail(
                    LinkFailure.unanswered(call.effect(), LinkFailure.reasonOf(counted.cause())));
              } else if (counted.result() < settings.replicas()) {
                call.fail(notReplicated(counted.result()));
              } else {
                call.complete(new Reply(response, counted.result()));
              }
            });
  }

  private BloomException notReplicated(int confirmed) {
    return BloomException.of(
        ErrorCode.NOT_REPLICATED,
        "Only %d of the required %d Redis replicas confirmed the request in time, so changes that it made may be lost if Redis fails over."
            .formatted(confirmed, settings.replicas()),
        "Repeat the request when there are enough replicas; elements already added are then reported as known.",
        null);
  }

  private void expire(Call call) {
    meters.timedOut();
    Session on = call.session();
    if (on == null) {
      call.fail(LinkFailure.notSent("no connection could be made in time"));
      return;
    }
    String time = Duration.ofNanos(callTimeoutNanos).toMillis() + " ms";
    call.fail(LinkFailure.unanswered(call.effect(), "the request took longer than " + time));
    // A slow Redis still answers other requests. If it answered none, it may be gone, which only a
    // new connection shows.
    if (!on.heardSince(call.sentAt())) {
      upkeep.lose(on, "nothing came from it for " + time);
    }
  }
}
