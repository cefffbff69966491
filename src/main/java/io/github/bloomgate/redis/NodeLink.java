package io.github.bloomgate.redis;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.StoreErrors;
import io.smallrye.mutiny.Uni;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * One pipelined connection to one Redis, kept up until it is closed.
 *
 * <p>It connects on first use, and {@link Upkeep} does again whenever the connection is lost.
 * Requests that come while an attempt is under way wait for it; during a pause they fail at once.
 * Requests are sent in the order they reach the link and every reply goes to its own request, also
 * after others timed out. Thread-safe.
 */
final class NodeLink {
  private final BloomgateConfig.Redis settings;
  private final long callTimeoutNanos;
  private final LinkMeters meters;
  private final Function<Throwable, RuntimeException> refusal;

  // Everything below is used on this event loop only, which is the connection's as well.
  private final Context loop;
  private final Deadlines deadlines;
  private final Upkeep upkeep;
  private final List<Call> waiting = new ArrayList<>();

  /**
   * A link to one peer.
   *
   * @param peer what it is called in the log
   * @param extraTime what a call may take beyond {@code bloomgate.redis.call-timeout}
   * @param refusal the failure for a request that was refused
   */
  NodeLink(
      Vertx vertx,
      Supplier<RedisOptions> options,
      BloomgateConfig.Redis settings,
      LinkMeters meters,
      String peer,
      Duration extraTime,
      Function<Throwable, RuntimeException> refusal) {
    Duration callTimeout = positive(settings.callTimeout(), "call-timeout").plus(extraTime);
    Duration connectTimeout = positive(settings.connectTimeout(), "connect-timeout");
    this.settings = settings;
    this.refusal = refusal;
    this.callTimeoutNanos = callTimeout.toNanos();
    this.meters = meters;
    this.loop = ((VertxInternal) vertx).createEventLoopContext();
    this.upkeep =
        new Upkeep(
            vertx,
            new SessionSource(vertx, options, connectTimeout),
            new Backoff(positive(settings.reconnectBackoff(), "reconnect-backoff")),
            callTimeoutNanos,
            meters,
            peer,
            new Upkeep.Listener() {
              @Override
              public void connected() {
                takeWaiting().forEach(call -> dispatch(call));
              }

              @Override
              public void failed(String reason) {
                takeWaiting().forEach(call -> call.fail(LinkFailure.notSent(reason)));
              }
            });
    this.deadlines =
        new Deadlines(vertx, callTimeout, this::expire, call -> upkeep.giveUp(call.session()));
  }

  /**
   * Sends a request as {@link RedisLink#send} says.
   *
   * @param caller tells, when it is subscribed to, where the reply is delivered
   * @param asking whether the node serves the slot only for those who were sent to it
   * @param replicas gets how many have confirmed it, before the result; null if none are asked
   */
  Uni<Response> send(
      Request request,
      Effect effect,
      Supplier<CallerContext> caller,
      boolean asking,
      IntConsumer replicas) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              Call call =
                  new Call(
                      request,
                      effect,
                      asking,
                      replicas,
                      System.nanoTime() + callTimeoutNanos,
                      caller.get(),
                      emitter);
              loop.runOnContext(
                  ignored -> {
                    deadlines.watch(call);
                    dispatch(call);
                  });
            });
  }

  /** Whether there is a connection, as far as is known. */
  boolean isConnected() {
    return upkeep.isConnected();
  }

  /** Closes the connection for good; requests under way and later ones fail. Does not wait. */
  void close() {
    loop.runOnContext(ignored -> upkeep.close());
  }

  private void dispatch(Call call) {
    if (upkeep.session() != null) {
      transmit(call, upkeep.session());
    } else if (upkeep.isIdle()) {
      call.fail(LinkFailure.notSent(upkeep.lastReason()));
    } else if (waiting.size() >= upkeep.maxWaiting()) {
      call.fail(LinkFailure.notSent("too many requests wait for the connection"));
    } else {
      waiting.add(call);
      upkeep.connect();
    }
  }

  /** The calls that wait for a connection and have not run out of time. */
  private List<Call> takeWaiting() {
    var taken = waiting.stream().filter(call -> !call.done()).toList();
    waiting.clear();
    return taken;
  }

  private void transmit(Call call, Session to) {
    call.sent(to, System.nanoTime());
    if (call.isAsking()) {
      to.ask();
    }
    to.send(call.request()).onComplete(result -> answered(call, to, result));
  }

  private void answered(Call call, Session from, AsyncResult<Response> result) {
    call.markAnswered();
    Throwable failure = result.cause();
    if (failure == null || LinkFailure.isServed(failure)) {
      upkeep.heard(from);
    }
    // The result of a call that was given up, or of its first try, is of no interest any more.
    if (call.done() || call.session() != from) {
      return;
    }
    if (failure == null && call.replicas() != null) {
      confirm(call, from, result.result());
      return;
    }
    from.finished();
    if (failure == null) {
      call.complete(result.result());
      return;
    }
    switch (LinkFailure.of(failure)) {
      case NEVER_SENT -> {
        upkeep.lose(from, LinkFailure.reasonOf(failure));
        if (call.retry()) {
          meters.retried();
          dispatch(call);
        } else {
          call.fail(LinkFailure.notSent(LinkFailure.reasonOf(failure)));
        }
      }
      case LOST -> {
        upkeep.lose(from, LinkFailure.reasonOf(failure));
        if (call.effect() == Effect.READ && call.retry()) {
          meters.retried();
          dispatch(call);
        } else {
          call.fail(LinkFailure.unanswered(call.effect(), LinkFailure.reasonOf(failure)));
        }
      }
      case READ_ONLY -> {
        upkeep.renewIfOld(from);
        call.fail(refusal.apply(failure));
      }
      case LOCKED_OUT -> {
        upkeep.lose(from, LinkFailure.reasonOf(failure));
        call.fail(refusal.apply(failure));
      }
      case REFUSED -> call.fail(refusal.apply(failure));
    }
  }

  // On the connection that made the change: another might lead to a Redis that never had it.
  private void confirm(Call call, Session on, Response reply) {
    on.confirm(settings.replicas(), settings.replicationTimeout().toMillis())
        .onComplete(
            counted -> {
              if (call.done() || call.session() != on) {
                return;
              }
              on.finished();
              if (counted.failed()) {
                if (LinkFailure.of(counted.cause()) != LinkFailure.REFUSED) {
                  upkeep.lose(on, LinkFailure.reasonOf(counted.cause()));
                }
                call.fail(
                    LinkFailure.unanswered(call.effect(), LinkFailure.reasonOf(counted.cause())));
              } else if (counted.result() < settings.replicas()) {
                call.fail(StoreErrors.notReplicated(counted.result(), settings.replicas()));
              } else {
                call.replicas().accept(counted.result());
                call.complete(reply);
              }
            });
  }

  private void expire(Call call) {
    meters.timedOut();
    Session on = call.session();
    if (on == null) {
      call.fail(LinkFailure.notSent("no connection could be made in time"));
      return;
    }
    on.finished();
    String time = Duration.ofNanos(callTimeoutNanos).toMillis() + " ms";
    call.fail(LinkFailure.unanswered(call.effect(), "the request took longer than " + time));
    // A slow Redis still answers others; where nobody was answered the peer may be gone without a
    // word, and only a new connection shows.
    if (!on.heardSince(call.sentAt())) {
      upkeep.abandon(on, "nothing came from it for " + time);
    }
  }

  /** A setting that has to be longer than 0. */
  static Duration positive(Duration value, String property) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(
          "bloomgate.redis." + property + " is " + value + " and must be longer than 0");
    }
    return value;
  }
}
