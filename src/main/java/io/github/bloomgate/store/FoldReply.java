package io.github.bloomgate.store;

/** The result of a fold or a patch. Only {@link #DONE} means that the segment was changed. */
public enum FoldReply {
  DONE,
  /** The generation has other content or does not exist. */
  CHANGED,
  /** Another fold was faster. */
  FOLDED,
  /** The segment, or the new string, is not what the caller expects: read the segment again. */
  REREAD,
  DAMAGED
}
