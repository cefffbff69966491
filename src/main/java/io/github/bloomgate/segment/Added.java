package io.github.bloomgate.segment;

/** What became of an element that was added. */
public enum Added {
  /** It was certainly not there. */
  NEW,
  /** It was probably there. */
  KNOWN,
  /** It is new, and the segment is full. */
  REFUSED
}
