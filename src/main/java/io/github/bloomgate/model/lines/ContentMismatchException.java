package io.github.bloomgate.model.lines;

import java.io.IOException;

/** The first bytes show that the content is of another type. */
public final class ContentMismatchException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  ContentMismatchException(FileSignature signature) {
    super(signature.mistake());
    this.remedy = signature.remedy();
  }

  public String remedy() {
    return remedy;
  }
}
