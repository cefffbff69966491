package io.github.bloomgate.redis;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.model.error.StoreErrors;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.impl.RequestImpl;
import io.vertx.redis.client.impl.ZModem;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Sends each request to the node of a Redis Cluster that owns the slot of its keys, over one
 * pipelined link per node. Thread-safe.
 *
 * <p>Slot owners are read on first use, and again if a node redirects a request or cannot be
 * reached. So the loss of a node affects only requests for its slots, until a replica takes over. A
 * request that no node has started is resent until its timeout; one that may have started is not.
 */
final class ClusterLink {
  /** How long a reading of the slot owners is shared by requests that fail. */
  private static final long MAP_MILLIS = 100;

  private static final Duration MAP_TIMEOUT = Duration.ofMillis(500);

  /** Doubles with each attempt. */
  private static final Duration PAUSE = Duration.ofMillis(5);

  private static final int MAX_DOUBLINGS = 6;
  private static final String NO_OWNERS = "its nodes did not report the slot owners in time";
  private static final Request SLOTS = Request.cmd(Command.CLUSTER).arg("SLOTS");

  private final ClusterNodes nodes;
  private final long callTimeoutNanos;

  /** Never the worker threads: all of them may be waiting for requests. */
  private final ScheduledExecutorService timer;

  /** The last reading of the slot owners. Guarded by this. */
  private CompletableFuture<Void> mapping = CompletableFuture.completedFuture(null);

  private volatile long mappedAt = System.nanoTime() - Duration.ofMillis(MAP_MILLIS).toNanos();

  /**
   * @param timer runs what follows pauses and timeouts
   */
  ClusterLink(ClusterNodes nodes, Duration callTimeout, ScheduledExecutorService timer) {
    this.nodes = nodes;
    this.callTimeoutNanos = callTimeout.toNanos();
    this.timer = timer;
  }

  /** Sends a request on each subscription; fails as {@link RedisLink#send}. */
  Uni<Reply> send(Request request, Effect effect) {
    return Uni.createFrom().deferred(() -> new Journey(request, effect).attempt());
  }

  void close() {
    nodes.close();
  }

  /** The common slot of all keys. */
  private static int slotOf(Request request) {
    var keys = ((RequestImpl) request).keys();
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("A request without a key leads to no node of a cluster");
    }
    var slot = ZModem.generate(keys.get(0));
    for (var key : keys) {
      if (ZModem.generate(key) != slot) {
        throw new SeveralSlotsException();
      }
    }
    return slot;
  }

  /** Reads the slot owners, unless they were just read. */
  private Uni<Void> map() {
    if (System.nanoTime() - mappedAt < Duration.ofMillis(MAP_MILLIS).toNanos()) {
      return Uni.createFrom().voidItem();
    }
    return Uni.createFrom().completionStage(this::mapping);
  }

  /** Callers share one reading. Each gets a copy, so that it can be cancelled alone. */
  private synchronized CompletableFuture<Void> mapping() {
    if (mapping.isDone()) {
      mapping = Uni.createFrom().deferred(this::ask).subscribeAsCompletionStage();
    }
    return mapping.copy();
  }

  /** Asks one node after the other. */
  private Uni<Void> ask() {
    return nodes.candidates().stream()
        .map(this::ask)
        .reduce((asked, next) -> asked.onFailure().recoverWithUni(next))
        .orElseThrow()
        .invoke(() -> mappedAt = System.nanoTime());
  }

  private Uni<Void> ask(RedisNode node) {
    return node.send(SLOTS, Effect.READ, false)
        .ifNoItem()
        .after(MAP_TIMEOUT)
        .on(timer)
        .failWith(() -> LinkFailure.notSent(NO_OWNERS))
        .invoke(reply -> nodes.learn(reply.response(), node))
        .replaceWithVoid();
  }

  /** A pending request. */
  private final class Journey {
    private final Request request;
    private final Effect effect;
    private final int slot;
    private final long deadline = System.nanoTime() + callTimeoutNanos;
    private int tries;

    private Journey(Request request, Effect effect) {
      this.request = request;
      this.effect = effect;
      this.slot = slotOf(request);
    }

    private Uni<Reply> attempt() {
      var owner = nodes.owner(slot);
      return owner == null
          ? mapInTime()
              .chain(
                  () ->
                      sendToOwner(
                          null, LinkFailure.notSent("no node of the cluster owns the keys")))
          : sendTo(owner, false);
    }

    private Uni<Reply> sendTo(RedisNode node, boolean asking) {
      return node.send(request, effect, asking)
          .onFailure()
          .recoverWithUni(
              failure ->
                  failure.getCause() instanceof Redirection redirection
                      ? follow(node, redirection, failure)
                      : afterLoss(node, failure));
    }

    private Uni<Reply> follow(RedisNode from, Redirection redirection, Throwable refusal) {
      if (System.nanoTime() - deadline >= 0) {
        return Uni.createFrom().failure(unfollowed(redirection, refusal));
      }
      return switch (redirection.kind()) {
        case MOVED -> {
          nodes.move(slot, redirection.address(), from);
          learn();
          yield again();
        }
        case ASK -> sendTo(nodes.at(redirection.address(), from), true);
        case TRYAGAIN -> again();
        case CLUSTERDOWN -> sendToNewOwner(from, refusal);
      };
    }

    private static Throwable unfollowed(Redirection redirection, Throwable refusal) {
      return switch (redirection.kind()) {
        case MOVED, ASK ->
            StoreErrors.unavailable(
                "The nodes of the Redis Cluster do not agree on which node serves the keys. Repeat the request later.",
                null);
        case TRYAGAIN, CLUSTERDOWN -> refusal;
      };
    }

    /**
     * At first immediately, then after pauses: the nodes may disagree, or move keys, for a while.
     */
    private Uni<Reply> again() {
      if (tries++ == 0) {
        return attempt();
      }
      var pause = PAUSE.multipliedBy(1L << Math.min(tries, MAX_DOUBLINGS));
      return Uni.createFrom()
          .voidItem()
          .onItem()
          .delayIt()
          .onExecutor(timer)
          .by(pause)
          .chain(this::attempt);
    }

    /** If the request was certainly not started, another node may have taken over. */
    private Uni<Reply> afterLoss(RedisNode node, Throwable failure) {
      if (!(failure instanceof BloomException lost) || !isOfStore(lost.code())) {
        return Uni.createFrom().failure(failure);
      }
      if (lost.code() == ErrorCode.STORE_OUTCOME_UNKNOWN || System.nanoTime() - deadline >= 0) {
        learn();
        return Uni.createFrom().failure(failure);
      }
      return sendToNewOwner(node, failure);
    }

    /** Sends it to the node that has taken over; without one, fails. */
    private Uni<Reply> sendToNewOwner(RedisNode former, Throwable failure) {
      return mapInTime().onFailure().recoverWithNull().chain(() -> sendToOwner(former, failure));
    }

    /**
     * Fails if the owner of the slot is unknown, or still the one that did not serve the request.
     */
    private Uni<Reply> sendToOwner(RedisNode former, Throwable failure) {
      var owner = nodes.owner(slot);
      return owner == null || owner.equals(former)
          ? Uni.createFrom().failure(failure)
          : sendTo(owner, false);
    }

    /** Waits for the slot owners until the deadline; several nodes that hang may take longer. */
    private Uni<Void> mapInTime() {
      var left = Math.max(1, deadline - System.nanoTime());
      return map()
          .ifNoItem()
          .after(Duration.ofNanos(left))
          .on(timer)
          .failWith(() -> LinkFailure.notSent(NO_OWNERS));
    }

    private void learn() {
      map().subscribe().with(done -> {}, failure -> {});
    }

    private static boolean isOfStore(ErrorCode code) {
      return code == ErrorCode.STORE_UNAVAILABLE || code == ErrorCode.STORE_OUTCOME_UNKNOWN;
    }
  }
}
