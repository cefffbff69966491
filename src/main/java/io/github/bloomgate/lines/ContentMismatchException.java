package io.github.bloomgate.lines;

import java.io.IOException;

/** The first bytes show that the content is of another type. */
public final class ContentMismatchException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  ContentMismatchException(FileSignature signature) {
    this(signature.mistake(), signature.remedy());
  }

  /**
   * Creates it without any of the content.
   *
   * @param mistake completes "The body ..." or "The source ..."
   * @param remedy a sentence
   */
  ContentMismatchException(String mistake, String remedy) {
    super(mistake);
    this.remedy = remedy;
  }

  public String remedy() {
    return remedy;
  }
}
