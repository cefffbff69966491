package io.github.bloomgate.journal;

/** What became of an element that was added to a segment. */
public enum Added {
  /** Its bits were all set. */
  KNOWN,
  /** It changed a bit. */
  NEW,
  /** It would have, but the segment takes no more. */
  REFUSED
}
