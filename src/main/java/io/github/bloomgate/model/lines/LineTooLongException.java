package io.github.bloomgate.model.lines;

import java.io.IOException;

/** A line exceeds its limit of bytes. */
final class LineTooLongException extends IOException {
  private static final long serialVersionUID = 1L;
}
