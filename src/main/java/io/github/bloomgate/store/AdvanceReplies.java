package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the replies of {@code advance}. */
final class AdvanceReplies {

  private static final SegmentReply SAME = new SegmentReply.Same();

  private AdvanceReplies() {}

  static SegmentStore.Advance of(ScriptReply reply, List<SegmentGroup> groups) {
    if (reply.size() != 2 + groups.size()) {
      throw reply.unexpectedStatus();
    }
    var replies = new ArrayList<Optional<List<SegmentReply>>>(groups.size());
    for (var i = 0; i < groups.size(); i++) {
      replies.add(group(reply.reply(2 + i), groups.get(i).questions().size()));
    }
    return new SegmentStore.Advance(reply.number(1), replies);
  }

  private static Optional<List<SegmentReply>> group(ScriptReply reply, int segments) {
    return switch (reply.status()) {
      case "CHANGED" -> Optional.empty();
      case "OK" -> {
        if (reply.size() != 1 + segments) {
          throw reply.unexpectedStatus();
        }
        var replies = new ArrayList<SegmentReply>(segments);
        for (var i = 1; i <= segments; i++) {
          replies.add(reply.isText(i) ? same(reply, i) : segment(reply.reply(i)));
        }
        yield Optional.of(replies);
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
      case "FULL" -> new SegmentReply.Full();
      case "MORE" -> new SegmentReply.NotReached();
      case "DAMAGED" -> new SegmentReply.Damaged();
      default -> throw reply.unexpectedStatus();
    };
  }
}
