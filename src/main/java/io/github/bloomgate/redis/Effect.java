package io.github.bloomgate.redis;

/** Whether a request may change content, which decides what a lost reply means. */
public enum Effect {
  /** Changes no content. It may be retried, and a lost reply is a plain failure. */
  READ,
  /** May change content. It is never retried once sent, and a lost reply is an unknown outcome. */
  WRITE,
  /**
   * Like {@link #WRITE}, and {@code bloomgate.redis.replicas} replicas must confirm it.
   *
   * <p>It uses a separate connection, which Redis blocks while it waits for them, and may take
   * {@code bloomgate.redis.replication-timeout} longer, or twice that if others are waiting. It
   * also fails with {@code NOT_REPLICATED} if it was made but too few replicas confirmed it in
   * time.
   */
  REPLICATED
}
