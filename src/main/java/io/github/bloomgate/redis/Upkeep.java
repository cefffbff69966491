package io.github.bloomgate.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.github.bloomgate.config.BloomgateConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Keeps one session with a peer. Opens it on request and reopens it when it is lost: immediately if
 * it had worked, otherwise after a pause that doubles up to a limit. Used on the link's event loop
 * only, except {@link #isConnected}.
 */
final class Upkeep {
  private static final Logger LOG = Logger.getLogger(Upkeep.class);

  /**
   * How long replies of a Redis that was left may arrive. In a planned failover, changes of this
   * time still reach the replica before it is promoted.
   */
  private static final Duration GRACE = Duration.ofMillis(20);

  private final Vertx vertx;
  private final Endpoint endpoint;
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
      Endpoint endpoint,
      BloomgateConfig.Redis settings,
      long callTimeoutNanos,
      LinkMeters meters,
      String peer) {
    this.vertx = vertx;
    this.endpoint = endpoint;
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
    Session last = end("the service is shutting down");
    if (last != null) {
      last.close();
    }
  }

  /** Ends the link to a node that has left its cluster. Requests that were sent are answered. */
  void retire() {
    Session last = end("it is no longer a node of the cluster");
    if (last != null) {
      closeLater(last);
    }
  }

  /** Returns the session that is still open; null for none. */
  private Session end(String reason) {
    closed = true;
    fail(reason);
    Session last = session;
    if (last != null) {
      drop();
    }
    meters.leave(this);
    return last;
  }

  private void connect() {
    promised = Promise.promise();
    // Otherwise no attempt would follow one that throws.
    Future.<Void>succeededFuture()
        .compose(ignored -> endpoint.find())
        .compose(options -> Session.open(vertx, options, connectTimeout))
        .compose(this::requirePrimary)
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

  private Future<Session> requirePrimary(Session opened) {
    if (!endpoint.isPrimary() || !opened.role().isRefusing()) {
      return Future.succeededFuture(opened);
    }
    opened.close();
    return Future.failedFuture(new NoPrimaryException(opened.role().reason()));
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

  /**
   * Asks for the role before the next request, unless it was just asked: a primary may become a
   * replica without closing its connections, and answer reads without the adds that it has missed.
   */
  void verify(Session used) {
    if (endpoint.isPrimary() && used.isRoleOld()) {
      used.askRole()
          .onSuccess(
              role -> {
                if (role.isRefusing()) {
                  used.distrust();
                  leave(used, role.reason());
                }
              });
    }
  }

  /** Leaves a Redis that in a moment may no longer be the primary. */
  void leave() {
    if (session != null) {
      leave(session, "the sentinels are promoting a replica");
    }
  }

  /** Leaves a Redis that is not this primary. */
  void leaveUnless(String primary) {
    if (session != null && !session.address().equals(primary)) {
      session.distrust();
      leave(session, "another Redis is the primary now");
    }
  }

  private void leave(Session former, String reason) {
    if (former == session) {
      report(reason);
      drop();
      connect();
      vertx.setTimer(GRACE.toMillis(), ignored -> former.close());
    }
  }

  // After a failover the old primary may continue as a replica, and only a new connection finds the
  // new primary. If the configured Redis is always a replica, this must not loop.
  void renewIfOld(Session stale) {
    if (stale == session && System.nanoTime() - stale.openedAt() > callTimeoutNanos) {
      drop();
      connect();
      closeLater(stale);
    }
  }

  /** By then, all its requests have been answered or have timed out. */
  private void closeLater(Session former) {
    vertx.setTimer(2 * NANOSECONDS.toMillis(callTimeoutNanos) + 1, ignored -> former.close());
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
