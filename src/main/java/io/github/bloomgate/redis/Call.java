package io.github.bloomgate.redis;

import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.redis.client.Request;

/** A pending request and its result. Used on the link's event loop only. */
final class Call {
  private final Effect effect;
  private final boolean asking;
  private final long deadline;

  private UniEmitter<? super Reply> emitter;
  private Request request;
  private Session session;
  private long sentAt;
  private boolean retried;

  /**
   * @param asking whether to send ASKING first
   * @param deadline in terms of {@link System#nanoTime()}
   */
  Call(
      Request request,
      Effect effect,
      boolean asking,
      long deadline,
      UniEmitter<? super Reply> emitter) {
    this.request = request;
    this.effect = effect;
    this.asking = asking;
    this.deadline = deadline;
    this.emitter = emitter;
  }

  Request request() {
    return request;
  }

  Effect effect() {
    return effect;
  }

  boolean isAsking() {
    return asking;
  }

  long deadline() {
    return deadline;
  }

  /** The session it was sent on; null while it waits for a connection. */
  Session session() {
    return session;
  }

  long sentAt() {
    return sentAt;
  }

  void sent(Session to, long now) {
    session = to;
    sentAt = now;
  }

  /** Uses the single retry; false if it was used before. */
  boolean retry() {
    if (retried) {
      return false;
    }
    retried = true;
    session = null;
    return true;
  }

  boolean done() {
    return emitter == null;
  }

  void complete(Reply reply) {
    end().complete(reply);
  }

  void fail(Throwable failure) {
    end().fail(failure);
  }

  // A call stays in the queue until those before it have ended. Its arguments and caller are
  // released now, so that they do not survive a garbage collection.
  private UniEmitter<? super Reply> end() {
    var to = emitter;
    request = null;
    emitter = null;
    return to;
  }
}
