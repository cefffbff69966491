package io.github.bloomgate.redis;

import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** A pending request and its result. Used on the link's event loop only. */
final class Call {
  private final Effect effect;
  private final boolean asking;
  private final IntConsumer replicas;
  private final long deadline;

  private CallerContext caller;
  private UniEmitter<? super Response> emitter;
  private Request request;
  private Session session;
  private long sentAt;
  private boolean retried;
  private boolean done;

  /**
   * @param asking whether to send ASKING first
   * @param replicas receives the number of replicas that confirmed it, before the result; null to
   *     wait for none
   * @param deadline in terms of {@link System#nanoTime()}
   * @param caller where the result is delivered
   */
  Call(
      Request request,
      Effect effect,
      boolean asking,
      IntConsumer replicas,
      long deadline,
      CallerContext caller,
      UniEmitter<? super Response> emitter) {
    this.request = request;
    this.effect = effect;
    this.asking = asking;
    this.replicas = replicas;
    this.deadline = deadline;
    this.caller = caller;
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

  /** Receives the number of replicas that confirmed it; null to wait for none. */
  IntConsumer replicas() {
    return replicas;
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
    return done;
  }

  void complete(Response response) {
    end(emitter -> emitter.complete(response));
  }

  void fail(Throwable failure) {
    end(emitter -> emitter.fail(failure));
  }

  // A call stays in the queue until those before it have ended. Its arguments and callers are
  // released now, so that they do not survive a garbage collection.
  private void end(Consumer<UniEmitter<? super Response>> result) {
    var to = emitter;
    var where = caller;
    done = true;
    request = null;
    emitter = null;
    caller = null;
    where.deliver(() -> result.accept(to));
  }
}
