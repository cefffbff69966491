package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.ScriptReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The result of {@link FilterStore#find}. */
public sealed interface FindReply {

  /**
   * A filter.
   *
   * @param millis the time in Redis
   * @param next the generation that a rebuild loads, if it was asked for and exists
   * @param headers the headers of the segments asked for, in order; fewer if there were too many
   */
  record Found(long millis, FilterState state, Optional<FilterState> next, List<Header> headers)
      implements FindReply {}

  /**
   * The header of a segment.
   *
   * @param length the length of the whole segment; 0 if it does not exist
   */
  record Header(long length, byte[] bytes) {}

  record Gone() implements FindReply {}

  /** Its deletion was cut off by a crash: delete it again. */
  record Unfinished(RemovedFilter filter) implements FindReply {}

  /** A field of the state is missing or malformed. The filter can be deleted. */
  record Damaged(String key, RemovedFilter filter) implements FindReply {}

  /** The filter to delete or replace; empty if there is none. */
  default Optional<RemovedFilter> removed() {
    if (this instanceof Found found) {
      return Optional.of(RemovedFilter.of(found.state, found.next));
    } else if (this instanceof Damaged damaged) {
      return Optional.of(damaged.filter);
    }
    return this instanceof Unfinished unfinished
        ? Optional.of(unfinished.filter)
        : Optional.empty();
  }

  /**
   * Reads a reply about a filter to a call with these keys.
   *
   * @throws BloomException WRONG_KEY_TYPE
   */
  static FindReply of(ScriptReply reply, FilterName name, List<String> keys) {
    return switch (reply.status()) {
      case "OK" -> found(reply, keys);
      case "WRONG_TYPE" ->
          throw FilterErrors.wrongKeyType(name, keys.get((int) reply.number(1) - 1));
      default -> throw reply.unexpectedStatus();
    };
  }

  private static FindReply found(ScriptReply reply, List<String> keys) {
    var fields = reply.fields(2);
    if (fields.isEmpty()) {
      return new Gone();
    } else if (!fields.containsKey("version")) {
      return new Unfinished(RemovedFilter.read(fields));
    }
    var nextFields = reply.fields(3);
    FilterState state;
    Optional<FilterState> next;
    try {
      state = FilterState.of(fields);
    } catch (IllegalArgumentException | BloomException malformed) {
      return new Damaged(keys.get(0), RemovedFilter.read(fields));
    }
    try {
      next = nextFields.isEmpty() ? Optional.empty() : Optional.of(FilterState.ofNext(nextFields));
    } catch (IllegalArgumentException | BloomException malformed) {
      return new Damaged(keys.get(1), RemovedFilter.read(fields));
    }
    var headers = new ArrayList<Header>();
    for (var i = 4; i < reply.size(); i += 2) {
      headers.add(new Header(reply.number(i), reply.bytes(i + 1)));
    }
    return new Found(reply.number(1), state, next, headers);
  }
}
