package io.github.bloomgate.store;

/** The result of a fold or a patch. Only {@link #DONE} means that the segment was changed. */
public enum FoldReply {
  DONE,
  /** The generation does not exist. */
  GONE,
  /** The generation has other content. */
  CHANGED,
  /** Another fold was faster. */
  FOLDED,
  /** The segment does not have the caller's history. */
  REREAD,
  /** There are later blocks, which must not stay. */
  BEHIND,
  /** The segment has no bitmap, so it must be folded as a whole. */
  BARE,
  /** The new string has expired. */
  EXPIRED,
  /** The new string does not match the arguments. */
  BROKEN,
  /** The segment is damaged. */
  DAMAGED
}
