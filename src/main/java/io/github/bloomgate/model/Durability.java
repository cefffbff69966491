package io.github.bloomgate.model;

/** The servers an add must reach before it is acknowledged. */
public enum Durability {
  /** The primary. Replicas follow a moment later. */
  PRIMARY,
  /** The memory of {@code bloomgate.redis.replicas} replicas. */
  REPLICATED
}
