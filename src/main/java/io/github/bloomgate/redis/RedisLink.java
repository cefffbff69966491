package io.github.bloomgate.redis;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.threads.OwnContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The link to Redis: one pipelined connection, see {@link NodeLink}, or one to each node of a Redis
 * Cluster, see {@link ClusterLink}. Thread-safe.
 */
@Singleton
public class RedisLink {
  private final ContextInternal loop;
  private final Supplier<RedisOptions> options;
  private final BloomgateConfig.Redis settings;
  private final LinkMeters meters;
  private final Primary primary;
  private final RedisNode single;

  /** Null until it is known whether Redis is a cluster. */
  private volatile Optional<ClusterLink> cluster;

  // The client is not used, but injecting it makes Quarkus build it and provide its options.
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
    this.loop = ((VertxInternal) vertx).createEventLoopContext();
    this.options = options;
    this.settings = settings;
    this.meters = new LinkMeters(registry);
    this.primary = new Primary(loop, options, settings);
    this.single = node("", primary, "Redis");
    primary.guide(single);
  }

  /**
   * Sends a request on each subscription.
   *
   * <p>The item is the reply, null for a nil reply. It is delivered on the subscriber's Vert.x
   * context, or without one on the link's event loop, which must not be blocked. The timeout is
   * {@code bloomgate.redis.call-timeout}, or twice that in a cluster, where the request may be
   * resent to another node. Cancelling does not undo a sent request.
   *
   * <p>Fails with a {@link BloomException}: {@code STORE_UNAVAILABLE} if the request was not sent
   * or was refused before it ran, or if a READ got no reply, even after one retry on a lost
   * connection; {@code STORE_OUTCOME_UNKNOWN} if a WRITE was sent and got no reply; {@code
   * STORE_FULL} if Redis is out of memory; {@code WRONG_KEY_TYPE} if a key holds a type that the
   * request cannot use; {@code INTERNAL} for any other error reply. No message contains a key, an
   * argument or an address.
   *
   * @param effect READ if the request may be retried
   */
  public Uni<Response> send(Request request, Effect effect) {
    return Uni.createFrom()
        .deferred(() -> exchange(request, effect).emitOn(OwnContext.here()))
        .map(Reply::response);
  }

  /** Like {@link #send}, but always delivers the reply on the link's event loop. */
  Uni<Reply> exchange(Request request, Effect effect) {
    // The nodes of a cluster may fail on any thread.
    return cluster()
        .map(nodes -> nodes.send(request, effect).emitOn(new OwnContext(loop)::run))
        .orElseGet(() -> single.send(request, effect, false));
  }

  /** The event loop of all connections. Work on it can follow a reply without changing threads. */
  public ContextInternal loop() {
    return loop;
  }

  /** Whether Redis is a cluster, so that only some nodes may be available. */
  public boolean isCluster() {
    return cluster().isPresent();
  }

  /** Closes before the embedded Redis stops, which would look like a lost connection. */
  void stop(@Observes ShutdownEvent stopping) {
    close();
  }

  /** Closes all connections; pending and later requests fail. Does not wait. */
  @PreDestroy
  public void close() {
    if (cluster != null) {
      cluster.ifPresent(ClusterLink::close);
    }
    single.close();
    loop.runOnContext(ignored -> primary.close());
  }

  // Known only after Quarkus has built its client, which may be after this link.
  private Optional<ClusterLink> cluster() {
    var known = cluster;
    return known == null ? findCluster() : known;
  }

  private synchronized Optional<ClusterLink> findCluster() {
    if (cluster == null) {
      cluster =
          options.get().getType() == RedisClientType.CLUSTER
              ? Optional.of(
                  new ClusterLink(
                      new ClusterNodes(options, this::clusterNode),
                      settings.callTimeout(),
                      loop.nettyEventLoop()))
              : Optional.empty();
    }
    return cluster;
  }

  private RedisNode clusterNode(String host, int port) {
    var uri = RedisAddress.parse(options.get().getEndpoint()).of(host, port);
    return node(
        host,
        new ClusterEndpoint(Primary.at(options.get(), uri)),
        "the Redis node " + host + ":" + port);
  }

  private RedisNode node(String host, Endpoint endpoint, String peer) {
    // Redis confirms changes one at a time, so a change may also wait for the one before.
    var confirming = settings.replicationTimeout();
    return new RedisNode(
        host,
        new NodeLink(loop, endpoint, options, settings, meters, peer, Duration.ZERO),
        new NodeLink(loop, endpoint, options, settings, meters, peer, confirming.multipliedBy(2)));
  }

  private record ClusterEndpoint(RedisOptions options) implements Endpoint {
    @Override
    public Future<RedisOptions> find() {
      return Future.succeededFuture(options);
    }

    @Override
    public boolean isPrimary() {
      return false;
    }
  }
}
