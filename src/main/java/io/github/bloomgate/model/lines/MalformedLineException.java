package io.github.bloomgate.model.lines;

/** A line is not an element; its number is added by the caller. */
final class MalformedLineException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedLineException(String mistake) {
    super(mistake);
  }
}
