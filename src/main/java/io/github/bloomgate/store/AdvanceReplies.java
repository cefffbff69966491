package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;
import java.util.ArrayList;
import java.util.List;

/** Reads the replies of {@code advance}. */
final class AdvanceReplies {

  private static final SegmentReply SAME = new SegmentReply.Same();

  private AdvanceReplies() {}

  static SegmentStore.Advance of(ScriptReply reply, List<SegmentGroup> groups) {
    if (reply.size() != 2 + groups.size()) {
      throw reply.unexpectedStatus();
    }
    var replies = new ArrayList<GroupReply>(groups.size());
    for (var i = 0; i < groups.size(); i++) {
      replies.add(group(reply.reply(2 + i), groups.get(i).questions().size()));
    }
    return new SegmentStore.Advance(reply.number(1), replies);
  }

  private static GroupReply group(ScriptReply reply, int segments) {
    return switch (reply.status()) {
      case "GONE" -> new GroupReply.Gone();
      case "CHANGED" -> new GroupReply.Changed();
      case "DAMAGED" -> new GroupReply.WrongType();
      case "OK" -> {
        if (reply.size() != 1 + segments) {
          throw reply.unexpectedStatus();
        }
        var replies = new ArrayList<SegmentReply>(segments);
        for (var i = 1; i <= segments; i++) {
          replies.add(reply.isText(i) ? same(reply, i) : segment(reply.reply(i)));
        }
        yield new GroupReply.Segments(replies);
      }
      default -> throw reply.unexpectedStatus();
    };
  }

  private static SegmentReply same(ScriptReply reply, int index) {
    if (!reply.text(index).equals("SAME")) {
      throw reply.unexpectedStatus();
    }
    return SAME;
  }

  private static SegmentReply segment(ScriptReply reply) {
    return switch (reply.status()) {
      case "NEW" -> new SegmentReply.Followed(reply.bytes(1));
      case "AGAIN" -> new SegmentReply.Repeated(reply.bytes(1));
      case "LONG" -> new SegmentReply.TooLong(reply.bytes(1));
      case "REREAD" -> new SegmentReply.Reread();
      case "EMPTY" -> new SegmentReply.Empty();
      case "FULL" -> new SegmentReply.Full();
      case "MORE" -> new SegmentReply.NotReached();
      case "DAMAGED" -> new SegmentReply.Damaged(reply.text(1));
      default -> throw reply.unexpectedStatus();
    };
  }
}
