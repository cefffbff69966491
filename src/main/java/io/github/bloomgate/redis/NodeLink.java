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
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * One pipelined connection to one Redis, kept up until it is closed.
 *
 * <p>It connects on first use and again whenever the connection is lost: at once if it had worked,
 * else after a pause that doubles up to a limit. Requests that come while an attempt is under way
 * wait for it; during a pause they fail at once. Requests are sent in the order they reach the link
 * and every reply goes to its own request, also after others timed out. Thread-safe.
 */
final class NodeLink {
  private static final Logger LOG = Logger.getLogger(NodeLink.class);

  private final Vertx vertx;
  private final BloomgateConfig.Redis settings;
  private final SessionSource source;
  private final long callTimeoutNanos;
  private final LinkMeters meters;
  private final String peer;
  private final Function<Throwable, RuntimeException> refusal;

  private volatile boolean connected;

  // Everything below is used on this event loop only, which is the connection's as well.
  private final Context loop;
  private final Deadlines deadlines;
  private final Backoff backoff;
  private final List<Call> waiting = new ArrayList<>();
  private Session session;
  private boolean connecting;
  private boolean pausing;
  private String lastReason = "";
  private boolean connectedBefore;
  private boolean reportedDown;
  private boolean closed;

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
    this.vertx = vertx;
    this.settings = settings;
    this.peer = peer;
    this.refusal = refusal;
    this.source = new SessionSource(vertx, options, connectTimeout);
    this.callTimeoutNanos = callTimeout.toNanos();
    this.meters = meters;
    this.loop = ((VertxInternal) vertx).createEventLoopContext();
    this.deadlines = new Deadlines(vertx, callTimeout, this::expire, this::giveUpOn);
    this.backoff = new Backoff(positive(settings.reconnectBackoff(), "reconnect-backoff"));
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
    return connected;
  }

  /** Closes the connection for good; requests under way and later ones fail. Does not wait. */
  void close() {
    loop.runOnContext(
        ignored -> {
          closed = true;
          lastReason = "the service is shutting down";
          failWaiting();
          source.fail(new ClosedChannelException());
          if (session != null) {
            Session last = session;
            drop();
            last.close();
          }
          meters.leave();
        });
  }

  private void dispatch(Call call) {
    if (session != null) {
      transmit(call, session);
    } else if (closed || pausing) {
      call.fail(LinkFailure.notSent(lastReason));
    } else if (waiting.size() >= source.maxWaiting()) {
      call.fail(LinkFailure.notSent("too many requests wait for the connection"));
    } else {
      waiting.add(call);
      if (!connecting) {
        connect();
      }
    }
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
    if ((failure == null || LinkFailure.isServed(failure)) && from.hear(System.nanoTime())) {
      backoff.reset();
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
        lose(from, LinkFailure.reasonOf(failure));
        if (call.retry()) {
          meters.retried();
          dispatch(call);
        } else {
          call.fail(LinkFailure.notSent(LinkFailure.reasonOf(failure)));
        }
      }
      case LOST -> {
        lose(from, LinkFailure.reasonOf(failure));
        if (call.effect() == Effect.READ && call.retry()) {
          meters.retried();
          dispatch(call);
        } else {
          call.fail(LinkFailure.unanswered(call.effect(), LinkFailure.reasonOf(failure)));
        }
      }
      case READ_ONLY -> {
        renewIfOld(from);
        call.fail(refusal.apply(failure));
      }
      case LOCKED_OUT -> {
        lose(from, LinkFailure.reasonOf(failure));
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
                  lose(on, LinkFailure.reasonOf(counted.cause()));
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
      abandon(on, "nothing came from it for " + time);
    }
  }

  // Replies come in order, so one that is missing for so long means that a connection within the
  // session is dead although others are well, as after the loss of one node of a cluster.
  private void giveUpOn(Call call) {
    if (call.session() == session) {
      renew();
    }
  }

  private void connect() {
    connecting = true;
    source
        .open()
        .onComplete(
            opened -> {
              connecting = false;
              if (opened.succeeded()) {
                take(opened.result());
              } else if (!closed) {
                meters.connectFailed();
                report(LinkFailure.reasonOf(opened.cause()));
                failWaiting();
                pause();
              }
            });
  }

  private void take(Session fresh) {
    if (closed) {
      fresh.close();
      return;
    }
    Session previous = session;
    session = fresh;
    connected = true;
    meters.connected(connectedBefore);
    connectedBefore = true;
    fresh.onLoss(failure -> lose(fresh, LinkFailure.reasonOf(failure)));
    if (previous != null) {
      previous.retire();
    }
    if (reportedDown) {
      reportedDown = false;
      LOG.infof("Connected to %s again.", peer);
    }
    List<Call> ready = List.copyOf(waiting);
    waiting.clear();
    for (Call call : ready) {
      if (!call.done()) {
        dispatch(call);
      }
    }
  }

  // One connection of several: the others go on until a whole new session is there.
  private void lose(Session lost, String reason) {
    if (lost == session && source.isSpread()) {
      report(reason);
      renew();
    } else {
      abandon(lost, reason);
    }
  }

  private void abandon(Session lost, String reason) {
    if (lost != session) {
      return;
    }
    report(reason);
    drop();
    lost.close();
    if (connecting || pausing) {
      return;
    }
    // One that never worked is lost again at once: do not spin.
    if (lost.wasHeard()) {
      connect();
    } else {
      pause();
    }
  }

  private void drop() {
    session = null;
    connected = false;
    meters.disconnected();
  }

  private void renew() {
    if (!closed && !connecting && !pausing) {
      connect();
    }
  }

  // After a failover the old primary may go on as a replica: only a new connection finds the new
  // one. Where the configured Redis is a replica for good, this must not become a loop.
  private void renewIfOld(Session readOnly) {
    long age = System.nanoTime() - readOnly.openedAt();
    if (readOnly == session && age > callTimeoutNanos) {
      renew();
    }
  }

  private void pause() {
    if (closed) {
      return;
    }
    pausing = true;
    vertx.setTimer(
        backoff.next(),
        ignored -> {
          pausing = false;
          renew();
        });
  }

  private void failWaiting() {
    List<Call> stranded = List.copyOf(waiting);
    waiting.clear();
    for (Call call : stranded) {
      if (!call.done()) {
        call.fail(LinkFailure.notSent(lastReason));
      }
    }
  }

  private void report(String reason) {
    lastReason = reason;
    if (!reportedDown && !closed) {
      reportedDown = true;
      LOG.warnf("The link to %s is down: %s. Reconnecting until it is back.", peer, reason);
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
