package io.github.bloomgate.redis;

/** Whether a request may change content, which decides what a lost answer means. */
public enum Effect {
  /** Changes no content, so it may be repeated and a lost answer is a plain failure. */
  READ,
  /**
   * May change content, so it is never repeated once sent and a lost answer is an unknown outcome.
   */
  WRITE
}
