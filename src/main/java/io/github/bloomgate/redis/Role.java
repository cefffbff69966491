package io.github.bloomgate.redis;

import io.vertx.redis.client.Response;

/**
 * What a Redis replies to ROLE.
 *
 * @param kind UNKNOWN if the configured user may not ask
 * @param host of the primary of a replica, else empty
 * @param port of the primary of a replica, else 0
 */
record Role(Kind kind, String host, int port) {
  enum Kind {
    PRIMARY,
    REPLICA,
    SENTINEL,
    UNKNOWN
  }

  static final Role UNKNOWN = new Role(Kind.UNKNOWN, "", 0);

  static Role of(Response reply) {
    return switch (reply.get(0).toString()) {
      case "master" -> new Role(Kind.PRIMARY, "", 0);
      case "slave" -> new Role(Kind.REPLICA, reply.get(1).toString(), reply.get(2).toInteger());
      case "sentinel" -> new Role(Kind.SENTINEL, "", 0);
      default -> UNKNOWN;
    };
  }

  boolean isKnown() {
    return kind != Kind.UNKNOWN;
  }

  /** Whether it certainly takes no changes. */
  boolean isRefusing() {
    return kind == Kind.REPLICA || kind == Kind.SENTINEL;
  }

  /** The reason why a refusing one cannot be used, as a clause. */
  String reason() {
    return kind == Kind.SENTINEL
        ? "it is a sentinel; set quarkus.redis.client-type=sentinel"
        : Refusal.REPLICA;
  }
}
