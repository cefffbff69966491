package io.github.bloomgate.redis;

import io.github.bloomgate.config.BloomgateConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.inject.Vetoed;
import java.util.ArrayList;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection on which the test decides when a request reaches Redis and when its caller gets the
 * reply. The order is the same as on any connection, so the same decisions repeat a run exactly.
 * Requests pass freely until {@link #hold}.
 */
@Vetoed
public final class StepLink extends RedisLink {

  private final RedisConnection connection;
  private final Deque<Step> sent = new ConcurrentLinkedDeque<>();
  private final Deque<Step> done = new ConcurrentLinkedDeque<>();
  private final ReentrantLock flowing = new ReentrantLock();
  private volatile boolean held;

  StepLink(
      Vertx vertx, RedisOptions options, BloomgateConfig.Redis settings, MeterRegistry metrics) {
    super(vertx, () -> options, settings, metrics);
    connection = get(Redis.createClient(vertx, options).connect());
  }

  /** Does not wait for replicas. */
  @Override
  Uni<Reply> exchange(Request request, Effect effect) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              sent.add(new Step(request, effect, emitter));
              if (!held) {
                flow();
              }
            });
  }

  /** Holds back all requests and replies. */
  public void hold() {
    held = true;
  }

  /** Passes on all held requests and replies, and all later ones. */
  public void release() {
    held = false;
    flow();
  }

  /**
   * Runs on one thread at a time. It includes requests of other threads, which only wait for their
   * replies.
   */
  private void flow() {
    while ((canExecute() || canAnswer()) && flowing.tryLock()) {
      try {
        while (canExecute() || canAnswer()) {
          if (canAnswer()) {
            answer();
          } else {
            execute();
          }
        }
      } finally {
        flowing.unlock();
      }
    }
  }

  public boolean canExecute() {
    return !sent.isEmpty();
  }

  /** Lets Redis run the oldest request. */
  public void execute() {
    var step = sent.remove();
    try {
      step.answer = get(connection.send(step.request));
    } catch (IllegalStateException e) {
      step.failure = LinkFailure.refused(e.getCause());
    }
    done.add(step);
  }

  public boolean canAnswer() {
    return !done.isEmpty();
  }

  /** Delivers the oldest reply. */
  public void answer() {
    var step = done.remove();
    if (step.failure == null) {
      step.emitter.complete(new Reply(step.answer, 0));
    } else {
      step.emitter.fail(step.failure);
    }
  }

  /** Replaces the connection. Reads are sent again, and the outcome of writes is unknown. */
  public void lose() {
    var unanswered = new ArrayList<>(done);
    unanswered.addAll(sent);
    done.clear();
    sent.clear();
    for (var step : unanswered) {
      if (step.effect == Effect.READ) {
        step.failure = null;
        sent.add(step);
      }
    }
    for (var step : unanswered) {
      if (step.effect != Effect.READ) {
        step.emitter.fail(LinkFailure.unanswered(step.effect, "the test cut it"));
      }
    }
  }

  private static <T> T get(Future<T> result) {
    try {
      return result.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    super.close();
    connection.close();
  }

  private static final class Step {
    private final Request request;
    private final Effect effect;
    private final UniEmitter<? super Reply> emitter;
    private Response answer;
    private RuntimeException failure;

    private Step(Request request, Effect effect, UniEmitter<? super Reply> emitter) {
      this.request = request;
      this.effect = effect;
      this.emitter = emitter;
    }
  }
}
