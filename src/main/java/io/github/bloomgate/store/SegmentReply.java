package io.github.bloomgate.store;

/** The result of {@link SegmentStore#advance} for one segment. */
public sealed interface SegmentReply {

  /** Nothing new. The caller's block was appended. */
  record Same() implements SegmentReply {}

  /** Other instances appended these blocks. The caller's block was appended after them. */
  record Followed(byte[] blocks) implements SegmentReply {}

  /** The call was repeated: these blocks include the caller's. Nothing was appended. */
  record Repeated(byte[] blocks) implements SegmentReply {}

  /** The journal is full, so the segment must be folded. Nothing was appended. */
  record TooLong(byte[] blocks) implements SegmentReply {}

  /** The segment does not have the caller's history. Nothing was appended. */
  record Reread() implements SegmentReply {}

  /** Redis is out of memory. Nothing was appended. */
  record Full() implements SegmentReply {}

  /** The reply was long enough without this segment; nothing was done for it. */
  record NotReached() implements SegmentReply {}

  /** The segment is missing, malformed, or of another type. Nothing was appended. */
  record Damaged() implements SegmentReply {}
}
