package io.github.bloomgate.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * A Redis, or a node of a cluster: the connection to it, and a second one for changes that wait for
 * replicas, on which Redis does nothing else meanwhile. Thread-safe.
 */
final class RedisNode {

  private final NodeLink link;
  private final Supplier<NodeLink> opener;

  // Guarded by this.
  private NodeLink replicating;
  private boolean closed;

  /**
   * A node.
   *
   * @param opener makes the connection for changes that wait; most services never need it
   */
  RedisNode(NodeLink link, Supplier<NodeLink> opener) {
    this.link = link;
    this.opener = opener;
  }

  /** Sends a request as {@link NodeLink#send} says. */
  Uni<Response> send(
      Request request,
      Effect effect,
      Supplier<CallerContext> caller,
      boolean asking,
      IntConsumer replicas) {
    var way = replicas == null ? link : replicating();
    return way.send(request, effect, caller, asking, replicas);
  }

  /** Whether there is a connection, as far as is known. */
  boolean isConnected() {
    return link.isConnected();
  }

  /** Closes the connections for good; requests under way and later ones fail. Does not wait. */
  synchronized void close() {
    closed = true;
    link.close();
    if (replicating != null) {
      replicating.close();
    }
  }

  // One that is closed fails what it is given, and must not open anything any more.
  private synchronized NodeLink replicating() {
    if (replicating == null && !closed) {
      replicating = opener.get();
    }
    return replicating == null ? link : replicating;
  }
}
