package io.github.bloomgate.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.RedisOptions;

/** What a link connects to. Used on the link's event loop only. */
interface Endpoint {

  /** The driver options for one Redis. Called before each attempt to connect. */
  Future<RedisOptions> find();

  /**
   * Whether it must be a primary. A node of a cluster may be a replica, which redirects requests.
   */
  boolean isPrimary();
}
