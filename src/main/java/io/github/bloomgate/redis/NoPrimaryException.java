package io.github.bloomgate.redis;

/** There is no primary to connect to for now. The message is a clause without addresses. */
final class NoPrimaryException extends Exception {
  private static final long serialVersionUID = 1L;

  NoPrimaryException(String reason) {
    super(reason, null, false, false);
  }
}
