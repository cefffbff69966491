package io.github.bloomgate.redis;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.RedisURI;
import io.vertx.redis.client.impl.ZModem;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The way to Redis: one pipelined connection for the life of the service, see {@link NodeLink}; of
 * a Redis Cluster one to each node, see {@link ClusterLink}. Thread-safe.
 */
@Singleton
public class RedisLink {
  private final Vertx vertx;
  private final Supplier<RedisOptions> options;
  private final BloomgateConfig.Redis settings;
  private final LinkMeters meters;
  private final RedisNode single;
  private final AtomicReference<Optional<ClusterLink>> cluster = new AtomicReference<>();

  // The client itself is not used; naming it makes Quarkus build it and so hand out its options.
  @SuppressWarnings("UnusedVariable")
  @Inject
  RedisLink(
      Vertx vertx,
      Redis client,
      LinkOptions options,
      BloomgateConfig config,
      MeterRegistry registry) {
    this(vertx, options, config.redis(), registry);
  }

  RedisLink(
      Vertx vertx,
      Supplier<RedisOptions> options,
      BloomgateConfig.Redis settings,
      MeterRegistry registry) {
    this.vertx = vertx;
    this.options = options;
    this.settings = settings;
    this.meters = new LinkMeters(registry);
    this.single = node(options, meters, "Redis", LinkFailure::refused);
  }

  /**
   * Sends a request once it is subscribed to; each subscription sends it again.
   *
   * <p>The item is the reply, null for a nil reply. It is delivered on the Vert.x context of the
   * subscriber where there is one, else on the link's event loop, which must not be blocked. The
   * whole takes no longer than {@code bloomgate.redis.call-timeout}; in a cluster, where it may
   * have been sent to another node meanwhile, twice that. Cancelling does not take back what was
   * sent.
   *
   * <p>Fails with a {@link BloomException}: {@code STORE_UNAVAILABLE} if the request was not sent
   * or was refused before it ran, or if it was a READ whose answer did not come, after one more try
   * when the connection was lost; {@code STORE_OUTCOME_UNKNOWN} if it was a WRITE that was sent and
   * whose answer did not come; {@code STORE_FULL} if Redis is out of memory; {@code INTERNAL} for
   * any other error reply. No message holds a key, an argument or an address.
   *
   * @param effect WRITE unless the request may be repeated at will
   */
  public Uni<Response> send(Request request, Effect effect) {
    return send(request, effect, CallerContext::current, null);
  }

  /**
   * Like {@link #send}, for a request whose reply answers several callers: it is delivered on the
   * link's event loop, on whatever context it was subscribed to, so that none of them waits for
   * another's context.
   */
  public Uni<Response> sendForMany(Request request, Effect effect) {
    return send(request, effect, CallerContext::none, null);
  }

  /**
   * Like {@link #send}, for a change that replicas must have confirmed before it is answered: as
   * many as {@code bloomgate.redis.replicas}. It goes over a connection of its own, on which Redis
   * does nothing else while it waits for them, and may take {@code
   * bloomgate.redis.replication-timeout} longer, twice if others wait.
   *
   * <p>Fails with {@code NOT_REPLICATED} too, when the change was made and fewer have it in time.
   *
   * @param replicas gets how many have it, before the reply is delivered
   */
  Uni<Response> sendReplicated(Request request, IntConsumer replicas) {
    return send(request, Effect.WRITE, CallerContext::current, replicas);
  }

  /** Like {@link #sendReplicated}, delivered as {@link #sendForMany} says. */
  Uni<Response> sendReplicatedForMany(Request request, IntConsumer replicas) {
    return send(request, Effect.WRITE, CallerContext::none, replicas);
  }

  private Uni<Response> send(
      Request request, Effect effect, Supplier<CallerContext> caller, IntConsumer replicas) {
    return cluster()
        .map(
            nodes ->
                nodes.send(
                    request,
                    (node, asking) -> node.send(request, effect, caller, asking, replicas)))
        .orElseGet(() -> single.send(request, effect, caller, false, replicas));
  }

  /** Whether Redis is a cluster, of which some nodes may answer and others not. */
  public boolean isCluster() {
    return cluster().isPresent();
  }

  /**
   * Whether a single request could have both keys: not if Redis is a cluster and they are in
   * different slots.
   */
  boolean isOneSlot(String one, String other) {
    return !isCluster() || ZModem.generate(one) == ZModem.generate(other);
  }

  /** Ends before the embedded Redis does, whose end would look like a loss. */
  void stop(@Observes ShutdownEvent stopping) {
    close();
  }

  /** Closes all connections for good; requests under way and later ones fail. Does not wait. */
  @PreDestroy
  public void close() {
    var nodes = cluster.get();
    if (nodes != null) {
      nodes.ifPresent(ClusterLink::close);
    }
    single.close();
  }

  // Only known once Quarkus has built its client, which may be after this link.
  private Optional<ClusterLink> cluster() {
    var known = cluster.get();
    if (known != null) {
      return known;
    }
    synchronized (cluster) {
      if (cluster.get() == null) {
        cluster.set(
            options.get().getType() == RedisClientType.CLUSTER
                ? Optional.of(
                    new ClusterLink(
                        new ClusterNodes(vertx, options, this::clusterNode),
                        settings.callTimeout()))
                : Optional.empty());
      }
      return cluster.get();
    }
  }

  private RedisNode clusterNode(String uri) {
    var address = new RedisURI(uri).socketAddress();
    return node(
        () ->
            new RedisOptions(options.get())
                .setType(RedisClientType.STANDALONE)
                .setEndpoints(List.of(uri)),
        meters.another(),
        "the Redis node " + address.host() + ":" + address.port(),
        failure ->
            Redirection.of(failure)
                .<RuntimeException>map(redirection -> redirection)
                .orElseGet(() -> LinkFailure.refused(failure)));
  }

  private RedisNode node(
      Supplier<RedisOptions> where,
      LinkMeters counted,
      String peer,
      Function<Throwable, RuntimeException> refusal) {
    // Redis confirms one change after the other: each may wait for another and for itself.
    var confirming = NodeLink.positive(settings.replicationTimeout(), "replication-timeout");
    return new RedisNode(
        new NodeLink(vertx, where, settings, counted, peer, Duration.ZERO, refusal),
        () ->
            new NodeLink(
                vertx,
                where,
                settings,
                counted.another(),
                peer,
                confirming.multipliedBy(2),
                refusal));
  }
}
