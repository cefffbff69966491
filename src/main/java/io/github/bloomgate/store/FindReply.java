package io.github.bloomgate.store;

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

  /** This key holds another type. */
  record WrongType(String key) implements FindReply {}
}
