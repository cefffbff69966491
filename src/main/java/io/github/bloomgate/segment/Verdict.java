package io.github.bloomgate.segment;

/** The outcome for one element of a request or a journal. */
public enum Verdict {
  /** Certainly absent; a removal found nothing. */
  ABSENT,
  /** Might be there; an add changed nothing. */
  KNOWN,
  /** Added or removed. */
  CHANGED,
  /** New, but its segment is full. */
  REFUSED
}
