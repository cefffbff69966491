package io.github.bloomgate.hash;

/**
 * An element that a scheme does not accept. The message completes "The element ..." and never
 * contains any of the element.
 */
public final class UnsupportedElementException extends RuntimeException {

  private static final long serialVersionUID = 1;

  UnsupportedElementException(String message) {
    super(message);
  }
}
