package io.github.bloomgate.model.lines;

/** What is wrong with a line, where its number is not known. */
final class MalformedLineException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedLineException(String mistake) {
    super(mistake);
  }
}
