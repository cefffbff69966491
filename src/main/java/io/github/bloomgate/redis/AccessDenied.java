package io.github.bloomgate.redis;

/** The cause of a refusal: the Redis user has no right to a command or key of the request. */
public final class AccessDenied extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AccessDenied() {
    super("The Redis user lacks a right", null, false, false);
  }
}
