package io.github.bloomgate.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The sentinels that watch the primary. Asks them where it is, and makes the links leave it as soon
 * as it is replaced, or in a planned failover just before. Used on the link's event loop only.
 */
final class Sentinels {
  /** For announcements that were missed. It also keeps firewalls from dropping the connections. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final ContextInternal loop;
  private final Vertx vertx;
  private final Supplier<RedisOptions> options;
  private final Duration timeout;
  private final List<Sentinel> sentinels = new ArrayList<>();
  private final List<RedisNode> guided = new ArrayList<>();

  /** The highest one in the latest answers. */
  private long epoch;

  private long timer;
  private boolean closed;

  Sentinels(ContextInternal loop, Supplier<RedisOptions> options, Duration timeout) {
    this.loop = loop;
    this.vertx = loop.owner();
    this.options = options;
    this.timeout = timeout;
  }

  /** The options for the primary. Waits for a replica that is being promoted. */
  Future<RedisOptions> find() {
    if (sentinels.isEmpty()) {
      for (var endpoint : options.get().getEndpoints()) {
        sentinels.add(new Sentinel(loop, options.get(), timeout, endpoint, this));
      }
      timer = vertx.setPeriodic(LOOK.toMillis(), ignored -> look());
    }
    return find(System.nanoTime() + timeout.toNanos());
  }

  private Future<RedisOptions> find(long deadline) {
    return newest(connected())
        .compose(
            answer -> {
              if (!answer.isChanging()) {
                return Future.succeededFuture(Primary.at(options.get(), answer.primary()));
              }
              return System.nanoTime() - deadline >= 0
                  ? Future.failedFuture(
                      new NoPrimaryException("the sentinels are promoting a replica"))
                  : vertx
                      .timer(PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                      .compose(done -> find(deadline));
            });
  }

  // Without those that are not connected, which might have to time out first.
  private List<Sentinel> connected() {
    var connected = sentinels.stream().filter(Sentinel::isConnected).toList();
    return connected.isEmpty() ? sentinels : connected;
  }

  private void look() {
    newest(connected()).onSuccess(this::follow);
    sentinels.stream().filter(sentinel -> !sentinel.isConnected()).forEach(Sentinel::ask);
  }

  /** Receives the answer of a sentinel that has announced something. It may not be the newest. */
  void hear(Sentinel.Known answer) {
    if (answer.isChanging() || answer.epoch() > epoch) {
      follow(answer);
    }
  }

  private void follow(Sentinel.Known answer) {
    for (var node : guided) {
      if (answer.isChanging()) {
        node.leave();
      } else {
        node.leaveUnless(answer.primary());
      }
    }
  }

  private Future<Sentinel.Known> newest(List<Sentinel> asked) {
    var answers = asked.stream().map(Sentinel::ask).toList();
    return Future.join(answers)
        .transform(
            all ->
                answers.stream()
                    .filter(Future::succeeded)
                    .map(Future::result)
                    .max(
                        Comparator.comparingLong(Sentinel.Known::epoch)
                            .thenComparing(Sentinel.Known::isChanging))
                    .map(Future::succeededFuture)
                    .orElseGet(() -> Future.failedFuture(unanswered(all.cause()))))
        .onSuccess(answer -> epoch = answer.epoch());
  }

  private static NoPrimaryException unanswered(Throwable failure) {
    return new NoPrimaryException(
        "no sentinel names the primary: " + LinkFailure.reasonOf(failure));
  }

  void guide(RedisNode node) {
    guided.add(node);
  }

  /** The name of the primary. */
  String group() {
    return options.get().getMasterName();
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    vertx.cancelTimer(timer);
    sentinels.forEach(Sentinel::close);
  }
}
