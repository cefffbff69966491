package io.github.bloomgate.store;

/**
 * A segment was asked bit by bit though others journal what they add to it: so must the caller. It
 * is no error of the filter.
 */
public final class JournaledException extends RuntimeException {

  private static final long serialVersionUID = 1;

  JournaledException() {
    super("others journal what they add to the segment", null, false, false);
  }
}
