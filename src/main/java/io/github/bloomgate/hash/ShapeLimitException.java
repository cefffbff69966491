package io.github.bloomgate.hash;

/** A shape is beyond what a scheme allows. The message names the value, the limit, the remedy. */
public final class ShapeLimitException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ShapeLimitException(String message) {
    super(message);
  }
}
