package io.github.bloomgate.hash;

/**
 * A shape exceeds the limits of a scheme. The message names the value, the limit and the remedy.
 */
public final class ShapeLimitException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ShapeLimitException(String message) {
    super(message);
  }
}
