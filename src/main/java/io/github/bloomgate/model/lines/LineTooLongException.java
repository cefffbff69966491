package io.github.bloomgate.model.lines;

import java.io.IOException;

/** A line has more bytes than its limit. */
final class LineTooLongException extends IOException {
  private static final long serialVersionUID = 1L;
}
