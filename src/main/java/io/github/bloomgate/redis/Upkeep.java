package io.github.bloomgate.redis;

import io.vertx.core.Vertx;
import java.nio.channels.ClosedChannelException;
import org.jboss.logging.Logger;

/**
 * Keeps one session with a peer: opens it when it is asked for, and again when it is lost, at once
 * if it had worked, else after a pause that doubles up to a limit. Used on the link's event loop
 * only, but for {@link #isConnected}.
 */
final class Upkeep {
  private static final Logger LOG = Logger.getLogger(Upkeep.class);

  /** What waits for a session. */
  interface Listener {

    /** There is a session. */
    void connected();

    /** There is none, and there will be none for a while. */
    void failed(String reason);
  }

  private final Vertx vertx;
  private final SessionSource source;
  private final Backoff backoff;
  private final long callTimeoutNanos;
  private final LinkMeters meters;
  private final String peer;
  private final Listener listener;

  private volatile boolean connected;
  private Session session;
  private boolean connecting;
  private boolean pausing;
  private String lastReason = "";
  private boolean connectedBefore;
  private boolean reportedDown;
  private boolean closed;

  /**
   * Begins without a session.
   *
   * @param peer what it is called in the log
   */
  Upkeep(
      Vertx vertx,
      SessionSource source,
      Backoff backoff,
      long callTimeoutNanos,
      LinkMeters meters,
      String peer,
      Listener listener) {
    this.vertx = vertx;
    this.source = source;
    this.backoff = backoff;
    this.callTimeoutNanos = callTimeoutNanos;
    this.meters = meters;
    this.peer = peer;
    this.listener = listener;
  }

  /** The session, or null. */
  Session session() {
    return session;
  }

  /** Whether there is a session, as far as is known; for any thread. */
  boolean isConnected() {
    return connected;
  }

  /** Whether no session is tried for now. */
  boolean isIdle() {
    return closed || pausing;
  }

  /** Why there is no session. */
  String lastReason() {
    return lastReason;
  }

  /** How many calls may wait for a session. */
  int maxWaiting() {
    return source.maxWaiting();
  }

  /** Closes the session for good. */
  void close() {
    closed = true;
    lastReason = "the service is shutting down";
    listener.failed(lastReason);
    source.fail(new ClosedChannelException());
    if (session != null) {
      Session last = session;
      drop();
      last.close();
    }
    meters.leave();
  }

  /** Something came from the peer. */
  void heard(Session from) {
    if (from.hear(System.nanoTime())) {
      backoff.reset();
    }
  }

  // Replies come in order, so one that is missing for so long means that a connection within the
  // session is dead although others are well, as after the loss of one node of a cluster.
  void giveUp(Session silent) {
    if (silent == session) {
      renew();
    }
  }

  /** Connects unless an attempt is under way. */
  void connect() {
    if (connecting) {
      return;
    }
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
                listener.failed(lastReason);
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
    listener.connected();
  }

  // One connection of several: the others go on until a whole new session is there.
  void lose(Session lost, String reason) {
    if (lost == session && source.isSpread()) {
      report(reason);
      renew();
    } else {
      abandon(lost, reason);
    }
  }

  /** Closes a session that is of no use any more, and connects again. */
  void abandon(Session lost, String reason) {
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
  void renewIfOld(Session readOnly) {
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

  private void report(String reason) {
    lastReason = reason;
    if (!reportedDown && !closed) {
      reportedDown = true;
      LOG.warnf("The link to %s is down: %s. Reconnecting until it is back.", peer, reason);
    }
  }
}
