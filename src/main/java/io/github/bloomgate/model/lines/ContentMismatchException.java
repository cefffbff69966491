package io.github.bloomgate.model.lines;

import java.io.IOException;

/** Content begins like something else than it should be. */
public final class ContentMismatchException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  ContentMismatchException(FileSignature signature) {
    super(signature.mistake());
    this.remedy = signature.remedy();
  }

  /** A sentence with what to do. */
  public String remedy() {
    return remedy;
  }
}
