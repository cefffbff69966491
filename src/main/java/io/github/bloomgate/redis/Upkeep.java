package io.github.bloomgate.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Consumer;
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
  private final Supplier<Future<Session>> opener;
  private final Backoff backoff;
  private final long callTimeoutNanos;
  private final LinkMeters meters;
  private final String peer;
  private final Runnable whenConnected;
  private final Consumer<String> whenFailed;

  private volatile Session session;
  private boolean connecting;
  private boolean pausing;
  private String lastReason = "";
  private boolean reportedDown;
  private boolean closed;

  /**
   * @param peer its name in the log
   * @param whenConnected called when a session is open
   * @param whenFailed receives the reason why there will be no session for a while
   */
  Upkeep(
      Vertx vertx,
      Supplier<Future<Session>> opener,
      Backoff backoff,
      long callTimeoutNanos,
      LinkMeters meters,
      String peer,
      Runnable whenConnected,
      Consumer<String> whenFailed) {
    this.vertx = vertx;
    this.opener = opener;
    this.backoff = backoff;
    this.callTimeoutNanos = callTimeoutNanos;
    this.meters = meters;
    this.peer = peer;
    this.whenConnected = whenConnected;
    this.whenFailed = whenFailed;
  }

  /** The session, or null. */
  Session session() {
    return session;
  }

  /** Whether a session is open, as far as is known. Thread-safe. */
  boolean isConnected() {
    return session != null;
  }

  /** Whether it is not trying to connect for now. */
  boolean isIdle() {
    return closed || pausing;
  }

  String lastReason() {
    return lastReason;
  }

  void close() {
    closed = true;
    lastReason = "the service is shutting down";
    whenFailed.accept(lastReason);
    if (session != null) {
      Session last = session;
      drop();
      last.close();
    }
    meters.leave(this);
  }

  /** Connects unless it is already connecting. */
  void connect() {
    if (connecting) {
      return;
    }
    connecting = true;
    opener
        .get()
        .onComplete(
            opened -> {
              connecting = false;
              if (opened.succeeded()) {
                take(opened.result());
              } else if (!closed) {
                meters.connectFailed();
                report(LinkFailure.reasonOf(opened.cause()));
                whenFailed.accept(lastReason);
                pause();
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
    whenConnected.run();
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
      pause();
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

  private void pause() {
    pausing = true;
    vertx.setTimer(
        backoff.next(),
        ignored -> {
          pausing = false;
          if (!closed) {
            connect();
          }
        });
  }

  private void report(String reason) {
    lastReason = reason;
    if (!reportedDown) {
      reportedDown = true;
      LOG.warnf("The link to %s is down: %s. Reconnecting until it is back.", peer, reason);
    }
  }
}
