package io.github.bloomgate.lines;

/** A line is not an element. The message says why and never contains the line. */
public final class InvalidLineException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidLineException(String mistake) {
    super(mistake);
  }

  public boolean isTooLong() {
    return ElementEncoding.TOO_LONG.equals(getMessage());
  }
}
