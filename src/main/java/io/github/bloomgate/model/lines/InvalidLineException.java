package io.github.bloomgate.model.lines;

/** A line that stands for no element. Its message tells what is wrong and never holds the line. */
public final class InvalidLineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long line;

  InvalidLineException(long line, String mistake) {
    super(mistake);
    this.line = line;
  }

  /** Whether the element of the line is longer than any may be. */
  public boolean isTooLong() {
    return ElementEncoding.TOO_LONG.equals(getMessage());
  }

  /** The number of the line; the first is 1. */
  public long line() {
    return line;
  }
}
