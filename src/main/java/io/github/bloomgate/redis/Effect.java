package io.github.bloomgate.redis;

/** Whether a request may change content, which decides what a lost reply means. */
public enum Effect {
  /** Changes no content. It may be retried, and a lost reply is a plain failure. */
  READ,
  /** May change content. It is never retried once sent, and a lost reply is an unknown outcome. */
  WRITE
}
