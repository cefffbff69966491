package io.github.bloomgate.model;

/** What an add must have reached before it is acknowledged. */
public enum Durability {
  /** The primary; its replicas follow a moment later, and lack what they have not got. */
  PRIMARY,
  /** As many replicas as {@code bloomgate.redis.replicas} says, in memory. */
  REPLICATED
}
