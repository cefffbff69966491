package io.github.bloomgate.segment;

/** The outcome of adding an element. */
public enum Added {
  NEW,
  /** Probably added before. */
  KNOWN,
  /** New, but the segment is full. */
  REFUSED
}
