package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.ScriptReply;
import java.util.List;
import java.util.Optional;

/** The result of a change of a filter. Only {@link Done} means that something was changed. */
public sealed interface ChangeReply {

  /**
   * The change was made.
   *
   * @param dropped content that the caller must drop now
   * @param now after clear, expire, rename and commit: the filter, without a next generation; after
   *     open: with it, or twice the next generation if there is no filter
   */
  record Done(Optional<Dropped> dropped, Optional<FindReply> now) implements ChangeReply {}

  record Refused(Refusal refusal) implements ChangeReply {}

  /** The segments that exist are not those that the caller named: try again with these. */
  record OtherSegments(Written written) implements ChangeReply {}

  /**
   * Drop this content first.
   *
   * @param isOfReplaced whether the filter that a rename replaces has the note of it
   */
  record StillToDrop(Dropped dropped, boolean isOfReplaced) implements ChangeReply {}

  enum Refusal {
    /** The generation has another version or does not exist: read the filter again. */
    CHANGED,
    /** The filter exists, perhaps as a deletion that was cut off, or has another version. */
    EXISTS,
    /** A rebuild is open. */
    OPEN,
    /** The rebuild is not open. */
    NO_REBUILD,
    /** A number of the state is malformed. */
    DAMAGED,
    /** A segment of the next generation is missing, or its state is malformed. */
    NEXT_DAMAGED,
    /** Another run has claimed the source. */
    RUN_LOST,
    /** The key of a new filter holds another type. */
    WRONG_TYPE,
    /** The key of the next generation holds another type. */
    NEXT_WRONG_TYPE
  }

  /** Reads a reply whose OK names content to drop. */
  static ChangeReply ofDropping(ScriptReply reply) {
    return isOk(reply) ? new Done(Dropped.of(reply.bytes(1)), Optional.empty()) : of(reply);
  }

  /** Reads a reply whose OK has the filter after the change. */
  static ChangeReply ofFilter(ScriptReply reply, FilterName name) {
    if (!isOk(reply)) {
      return of(reply);
    }
    var now = FindReply.of(reply, name, List.of(Keys.state(name), Keys.next(name)));
    var dropped =
        now instanceof FindReply.Found found ? found.state().dropped() : Optional.<Dropped>empty();
    return new Done(dropped, Optional.of(now));
  }

  private static boolean isOk(ScriptReply reply) {
    return reply.status().equals("OK");
  }

  /** Reads a reply whose OK stands alone. */
  static ChangeReply of(ScriptReply reply) {
    return switch (reply.status()) {
      case "OK" -> new Done(Optional.empty(), Optional.empty());
      case "WRITTEN", "RENEW" -> otherSegments(reply.bytes(1));
      case "DROPPING" -> stillToDrop(reply, false);
      case "TARGET_DROPPING" -> stillToDrop(reply, true);
      default -> new Refused(reply.status(Refusal.class));
    };
  }

  /**
   * With an impossible list the state is damaged, which the caller finds when it reads it again.
   */
  private static ChangeReply otherSegments(byte[] written) {
    try {
      return new OtherSegments(Written.of(written));
    } catch (IllegalArgumentException damaged) {
      return new Refused(Refusal.CHANGED);
    }
  }

  private static ChangeReply stillToDrop(ScriptReply reply, boolean isOfReplaced) {
    var dropped = Dropped.of(reply.bytes(1)).orElseThrow(reply::unexpectedStatus);
    return new StillToDrop(dropped, isOfReplaced);
  }
}
