package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;

/** The result of {@link SegmentStore#advance} for one segment. */
public sealed interface SegmentReply {

  /** Other instances have appended nothing. */
  Followed SAME = new Followed(new byte[0]);

  /**
   * The segment has the caller's history. Other instances appended these blocks, and the caller's
   * block was appended after them.
   */
  record Followed(byte[] blocks) implements SegmentReply {}

  /** The call was repeated: these blocks include the caller's. Nothing was appended. */
  record Repeated(byte[] blocks) implements SegmentReply {}

  /** The journal is full, so the segment must be folded. Nothing was appended. */
  record TooLong(byte[] blocks) implements SegmentReply {}

  /** The call has moved enough strings that grow. Nothing was appended. */
  record Postponed(byte[] blocks) implements SegmentReply {}

  /** The segment does not have the caller's history. Nothing was appended. */
  record Reread() implements SegmentReply {}

  /** Redis is out of memory. Nothing was appended. */
  record Full() implements SegmentReply {}

  /** The reply was long enough without this segment; nothing was done for it. */
  record NotReached() implements SegmentReply {}

  /** The segment is missing or malformed. Nothing was appended. */
  record Damaged() implements SegmentReply {}

  /** The key of the segment holds another type. Nothing was appended. */
  record WrongType() implements SegmentReply {}

  /** Reads the reply about a segment, which is a word alone if there is nothing new. */
  static SegmentReply of(ScriptReply group, int index) {
    if (group.isText(index)) {
      if (!group.text(index).equals("SAME")) {
        throw group.unexpectedStatus();
      }
      return SAME;
    }
    var reply = group.reply(index);
    return switch (reply.status()) {
      case "NEW" -> new Followed(reply.bytes(1));
      case "AGAIN" -> new Repeated(reply.bytes(1));
      case "LONG" -> new TooLong(reply.bytes(1));
      case "LATER" -> new Postponed(reply.bytes(1));
      case "REREAD" -> new Reread();
      case "FULL" -> new Full();
      case "MORE" -> new NotReached();
      case "DAMAGED" -> new Damaged();
      case "WRONG_TYPE" -> new WrongType();
      default -> throw reply.unexpectedStatus();
    };
  }
}
