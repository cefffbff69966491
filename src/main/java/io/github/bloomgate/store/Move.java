package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.ScriptReply;
import java.util.UUID;

/**
 * One rename of a filter to a name in another slot of a Redis Cluster.
 *
 * @param id a text that no other move ever has
 * @param from the name the filter had
 * @param to the name it shall have
 */
public record Move(String id, FilterName from, FilterName to) {

  /** A move that nobody has begun yet. */
  public static Move begin(FilterName from, FilterName to) {
    return new Move(UUID.randomUUID().toString(), from, to);
  }

  /** Reads the move that a fenced filter takes part in, from the refusal MOVING. */
  static Move of(ScriptReply moving) {
    var parts = moving.text(1).split(" ", -1);
    if (parts.length != 3) {
      throw moving.unexpectedStatus();
    }
    return new Move(parts[0], new FilterName(parts[1]), new FilterName(parts[2]));
  }

  /** Reads a move as it is noted in the slot of the new name: status, time and old name. */
  static Move noted(String id, String text, FilterName to) {
    return new Move(id, new FilterName(text.substring(text.lastIndexOf(' ') + 1)), to);
  }

  /** As the fence has it. */
  @Override
  public String toString() {
    return id + " " + from + " " + to;
  }
}
