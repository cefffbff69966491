package io.github.bloomgate.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.github.bloomgate.config.BloomgateConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Keeps one session with a peer. Opens it on request and reopens it when it is lost: immediately if
 * it had worked, otherwise after a pause that doubles up to a limit. Used on the link's event loop
 * only, except {@link #isConnected}.
 */
final class Upkeep {
  private static final Logger LOG = Logger.getLogger(Upkeep.class);

  private final Vertx vertx;
  private final Supplier<RedisOptions> options;
  private final Duration connectTimeout;
  private final Backoff backoff;
  private final long callTimeoutNanos;
  private final LinkMeters meters;
  private final String peer;

  private volatile Session session;

  /** Null until the first request. */
  private Promise<Session> promised;

  private boolean reportedDown;
  private boolean closed;

  /**
   * @param peer its name in the log
   */
  Upkeep(
      Vertx vertx,
      Supplier<RedisOptions> options,
      BloomgateConfig.Redis settings,
      long callTimeoutNanos,
      LinkMeters meters,
      String peer) {
    this.vertx = vertx;
    this.options = options;
    this.connectTimeout = settings.connectTimeout();
    this.backoff = new Backoff(settings.reconnectBackoff());
    this.callTimeoutNanos = callTimeoutNanos;
    this.meters = meters;
    this.peer = peer;
  }

  /** The open session, or the one being opened. Fails with the reason why there is none for now. */
  Future<Session> session() {
    if (promised == null) {
      connect();
    }
    return promised.future();
  }

  /** Whether a session is open, as far as is known. Thread-safe. */
  boolean isConnected() {
    return session != null;
  }

  void close() {
    closed = true;
    fail("the service is shutting down");
    if (session != null) {
      Session last = session;
      drop();
      last.close();
    }
    meters.leave(this);
  }

  private void connect() {
    promised = Promise.promise();
    Session.open(vertx, options, connectTimeout)
        .onComplete(
            opened -> {
              if (opened.succeeded()) {
                take(opened.result());
              } else if (!closed) {
                meters.connectFailed();
                report(LinkFailure.reasonOf(opened.cause()));
                pause(LinkFailure.reasonOf(opened.cause()));
              }
            });
  }

  private void take(Session fresh) {
    if (closed) {
      fresh.close();
      return;
    }
    session = fresh;
    meters.connected(this);
    fresh.onLoss(failure -> lose(fresh, LinkFailure.reasonOf(failure)));
    if (reportedDown) {
      reportedDown = false;
      LOG.infof("Connected to %s again.", peer);
    }
    promised.complete(fresh);
  }

  /** Closes a session and reconnects. */
  void lose(Session lost, String reason) {
    if (lost != session) {
      return;
    }
    report(reason);
    drop();
    lost.close();
    // A session that never worked would be lost again immediately: pause first.
    if (lost.wasHeard()) {
      backoff.reset();
      connect();
    } else {
      pause(reason);
    }
  }

  // After a failover the old primary may continue as a replica, and only a new connection finds the
  // new primary. If the configured Redis is always a replica, this must not loop.
  void renewIfOld(Session stale) {
    if (stale == session && System.nanoTime() - stale.openedAt() > callTimeoutNanos) {
      drop();
      connect();
      // By then all its requests have been answered or have timed out.
      vertx.setTimer(2 * NANOSECONDS.toMillis(callTimeoutNanos) + 1, ignored -> stale.close());
    }
  }

  private void drop() {
    session = null;
    meters.disconnected(this);
  }

  private void pause(String reason) {
    fail(reason);
    vertx.setTimer(
        backoff.next(),
        ignored -> {
          if (!closed) {
            connect();
          }
        });
  }

  /** Fails requests that wait for the session, and later ones. */
  private void fail(String reason) {
    if (promised == null || !promised.tryFail(reason)) {
      promised = Promise.promise();
      promised.fail(reason);
    }
  }

  private void report(String reason) {
    if (!reportedDown) {
      reportedDown = true;
      LOG.warnf("The link to %s is down: %s. Reconnecting until it is back.", peer, reason);
    }
  }
}
