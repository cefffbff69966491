package io.github.bloomgate.redis;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.error.BloomException;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The one pipelined connection to Redis, kept up for the life of the service.
 *
 * <p>It connects on first use and again whenever the connection is lost: at once if it had worked,
 * else after a pause that doubles up to a limit. Requests that come while an attempt is under way
 * wait for it; during a pause they fail at once. Requests are sent in the order they reach the link
 * and every reply goes to its own request, also after others timed out. Thread-safe.
 */
@Singleton
public class RedisLink {
  private static final Logger LOG = Logger.getLogger(RedisLink.class);

  private final Vertx vertx;
  private final SessionSource source;
  private final long callTimeoutNanos;
  private final LinkMeters meters;

  /** 0 while there is no connection of which every loss is noticed. */
  private volatile long epoch;

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
  private long epochs;

  // The client itself is not used; naming it makes Quarkus build it and so hand out its options.
  @SuppressWarnings("UnusedVariable")
  @Inject
  RedisLink(
      Vertx vertx,
      Redis client,
      LinkOptions options,
      BloomgateConfig config,
      MeterRegistry registry) {
    this(vertx, options, config.redis(), registry);
  }

  RedisLink(
      Vertx vertx,
      Supplier<RedisOptions> options,
      BloomgateConfig.Redis settings,
      MeterRegistry registry) {
    Duration callTimeout = positive(settings.callTimeout(), "call-timeout");
    Duration connectTimeout = positive(settings.connectTimeout(), "connect-timeout");
    this.vertx = vertx;
    this.source = new SessionSource(vertx, options, connectTimeout);
    this.callTimeoutNanos = callTimeout.toNanos();
    this.meters = new LinkMeters(registry);
    this.loop = ((VertxInternal) vertx).createEventLoopContext();
    this.deadlines = new Deadlines(vertx, callTimeout, this::expire, this::giveUpOn);
    this.backoff = new Backoff(positive(settings.reconnectBackoff(), "reconnect-backoff"));
  }

  /**
   * Sends a request once it is subscribed to; each subscription sends it again.
   *
   * <p>The item is the reply, null for a nil reply. It is delivered on the Vert.x context of the
   * subscriber where there is one, else on the link's event loop, which must not be blocked. The
   * whole takes no longer than {@code bloomgate.redis.call-timeout}. Cancelling does not take back
   * what was sent.
   *
   * <p>Fails with a {@link BloomException}: {@code STORE_UNAVAILABLE} if the request was not sent
   * or was refused before it ran, or if it was a READ whose answer did not come, after one more try
   * when the connection was lost; {@code STORE_OUTCOME_UNKNOWN} if it was a WRITE that was sent and
   * whose answer did not come; {@code STORE_FULL} if Redis is out of memory; {@code INTERNAL} for
   * any other error reply. No message holds a key, an argument or an address.
   *
   * @param effect WRITE unless the request may be repeated at will
   */
  public Uni<Response> send(Request request, Effect effect) {
    return send(request, effect, CallerContext::current);
  }

  /**
   * Like {@link #send}, for a request whose reply answers several callers: it is delivered on the
   * link's event loop, whoever subscribes, so that none of them waits for another's context.
   */
  public Uni<Response> sendForMany(Request request, Effect effect) {
    return send(request, effect, CallerContext::none);
  }

  private Uni<Response> send(Request request, Effect effect, Supplier<CallerContext> caller) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              Call call =
                  new Call(
                      request, effect, System.nanoTime() + callTimeoutNanos, caller.get(), emitter);
              loop.runOnContext(
                  ignored -> {
                    deadlines.watch(call);
                    dispatch(call);
                  });
            });
  }

  /**
   * Which connection requests go through: another number after it was lost or made anew. Whoever
   * read something before may have read it from a Redis that has lost writes since.
   *
   * @return empty while there is no connection, or if it may lead to another node unnoticed: one to
   *     several nodes, or one that the driver moves by itself
   */
  public OptionalLong epoch() {
    var now = epoch;
    return now == 0 ? OptionalLong.empty() : OptionalLong.of(now);
  }

  /** Ends before the embedded Redis does, whose end would look like a loss. */
  void stop(@Observes ShutdownEvent stopping) {
    close();
  }

  /** Closes the connection for good; requests under way and later ones fail. Does not wait. */
  @PreDestroy
  public void close() {
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
    to.send(call.request()).onComplete(result -> settle(call, to, result));
  }

  private void settle(Call call, Session from, AsyncResult<Response> result) {
    call.markAnswered();
    Throwable failure = result.cause();
    if ((failure == null || LinkFailure.isReply(failure)) && from.hear(System.nanoTime())) {
      backoff.reset();
    }
    // The result of a call that was given up, or of its first try, is of no interest any more.
    if (call.done() || call.session() != from) {
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
          dispatch(call);
        } else {
          call.fail(LinkFailure.notSent(LinkFailure.reasonOf(failure)));
        }
      }
      case LOST -> {
        lose(from, LinkFailure.reasonOf(failure));
        if (call.effect() == Effect.READ && call.retry()) {
          dispatch(call);
        } else {
          call.fail(LinkFailure.unanswered(call.effect(), LinkFailure.reasonOf(failure)));
        }
      }
      case READ_ONLY -> {
        renewIfOld(from);
        call.fail(LinkFailure.refused(failure));
      }
      case REFUSED -> call.fail(LinkFailure.refused(failure));
    }
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
    epochs++;
    epoch = source.isSteady() ? epochs : 0;
    meters.connected(connectedBefore);
    connectedBefore = true;
    fresh.onLoss(failure -> lose(fresh, LinkFailure.reasonOf(failure)));
    if (previous != null) {
      previous.retire();
    }
    if (reportedDown) {
      reportedDown = false;
      LOG.info("Connected to Redis again.");
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
    epoch = 0;
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
      LOG.warnf("The link to Redis is down: %s. Reconnecting until it is back.", reason);
    }
  }

  private static Duration positive(Duration value, String property) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(
          "bloomgate.redis." + property + " is " + value + " and must be longer than 0");
    }
    return value;
  }
}
