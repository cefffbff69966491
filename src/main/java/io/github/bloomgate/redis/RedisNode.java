package io.github.bloomgate.redis;

import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;

/**
 * A Redis or a node of a cluster. Thread-safe.
 *
 * @param host as the cluster names it; empty for a single Redis
 * @param link the connection to it
 * @param replicating a second one for changes that wait for replicas, which block their connection
 */
record RedisNode(String host, NodeLink link, NodeLink replicating) {

  /** Sends a request as {@link NodeLink#send} does. */
  Uni<Reply> send(Request request, Effect effect, boolean asking) {
    return (effect == Effect.REPLICATED ? replicating : link).send(request, effect, asking);
  }

  /** Connects again, because another Redis is about to become the primary. */
  void leave() {
    link.leave();
    replicating.leave();
  }

  /** Connects again unless it is connected to this primary. */
  void leaveUnless(String primary) {
    link.leaveUnless(primary);
    replicating.leaveUnless(primary);
  }

  /** Whether it is connected, as far as is known. */
  boolean isConnected() {
    return link.isConnected();
  }

  /** Closes the connections when all pending requests are done; later ones fail. Does not wait. */
  void retire() {
    link.retire();
    replicating.retire();
  }

  /** Closes the connections; pending and later requests fail. Does not wait. */
  void close() {
    link.close();
    replicating.close();
  }
}
