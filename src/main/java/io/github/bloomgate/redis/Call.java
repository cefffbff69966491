package io.github.bloomgate.redis;

import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * One request on its way, from the caller to its one result. Used on the link's event loop only.
 */
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
  private boolean answered;
  private boolean done;

  /**
   * A request that is not sent yet.
   *
   * @param asking whether it goes to a node that serves its slot only when asked to
   * @param replicas gets how many have confirmed it, before the result; null if none are asked
   * @param deadline when it is given up, as {@link System#nanoTime()} counts
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

  /** Who is told how many replicas have confirmed it; null if none are asked. */
  IntConsumer replicas() {
    return replicas;
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
    end(emitter -> emitter.complete(response));
  }

  void fail(Throwable failure) {
    end(emitter -> emitter.fail(failure));
  }

  // A call is kept until those before it have ended too. What it holds, arguments and callers with
  // all that hangs on them, need not be: it would outlive a garbage collection.
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
