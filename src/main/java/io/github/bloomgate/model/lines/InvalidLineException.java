package io.github.bloomgate.model.lines;

/** A line is not an element. The message says why and never contains the line. */
public final class InvalidLineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long line;

  InvalidLineException(long line, String mistake) {
    super(mistake);
    this.line = line;
  }

  public boolean isTooLong() {
    return ElementEncoding.TOO_LONG.equals(getMessage());
  }

  /** The number of the line, from 1. */
  public long line() {
    return line;
  }
}
