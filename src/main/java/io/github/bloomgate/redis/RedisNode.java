package io.github.bloomgate.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * A Redis or a node of a cluster: the connection to it, and a second one for changes that wait for
 * replicas, which block their connection. Thread-safe.
 */
final class RedisNode {

  private final NodeLink link;
  private final Supplier<NodeLink> opener;

  // Guarded by this.
  private NodeLink replicating;
  private boolean closed;

  /**
   * @param opener opens the connection for changes that wait for replicas, which is rarely needed
   */
  RedisNode(NodeLink link, Supplier<NodeLink> opener) {
    this.link = link;
    this.opener = opener;
  }

  /** Sends a request as {@link NodeLink#send} does. */
  Uni<Response> send(
      Request request,
      Effect effect,
      Supplier<CallerContext> caller,
      boolean asking,
      IntConsumer replicas) {
    var way = replicas == null ? link : replicating();
    return way.send(request, effect, caller, asking, replicas);
  }

  /** Whether it is connected, as far as is known. */
  boolean isConnected() {
    return link.isConnected();
  }

  /** Closes the connections; pending and later requests fail. Does not wait. */
  synchronized void close() {
    closed = true;
    link.close();
    if (replicating != null) {
      replicating.close();
    }
  }

  // After close the first link fails every request, and no second one may be opened.
  private synchronized NodeLink replicating() {
    if (replicating == null && !closed) {
      replicating = opener.get();
    }
    return replicating == null ? link : replicating;
  }
}
