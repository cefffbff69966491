package io.github.bloomgate.redis;

import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/**
 * One request on its way, from the caller to its one result. Used on the link's event loop only.
 */
final class Call {
  private final Effect effect;
  private final long deadline;
  private final CallerContext caller;
  private final UniEmitter<? super Response> emitter;

  private Request request;
  private Session session;
  private long sentAt;
  private boolean retried;
  private boolean answered;
  private boolean done;

  /**
   * A request that is not sent yet.
   *
   * @param deadline when it is given up, as {@link System#nanoTime()} counts
   * @param caller where the result is delivered
   */
  Call(
      Request request,
      Effect effect,
      long deadline,
      CallerContext caller,
      UniEmitter<? super Response> emitter) {
    this.request = request;
    this.effect = effect;
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

  long deadline() {
    return deadline;
  }

  /** Where it was sent; null while it waits for a connection. */
  Session session() {
    return session;
  }

  long sentAt() {
    return sentAt;
  }

  void sent(Session to, long now) {
    session = to;
    sentAt = now;
    answered = false;
  }

  /** Takes the one retry; false if it was taken before. */
  boolean retry() {
    if (retried) {
      return false;
    }
    retried = true;
    session = null;
    return true;
  }

  /** Whether the driver is through with it, which may be long after it was given up. */
  boolean answered() {
    return answered;
  }

  void markAnswered() {
    answered = true;
  }

  /** Whether the caller has its result. */
  boolean done() {
    return done;
  }

  void complete(Response response) {
    end();
    caller.deliver(() -> emitter.complete(response));
  }

  void fail(Throwable failure) {
    end();
    caller.deliver(() -> emitter.fail(failure));
  }

  // Calls are kept until those before them end too; their arguments, which are large, need not be.
  private void end() {
    done = true;
    request = null;
  }
}
