package io.github.bloomgate.store;

import java.util.List;

/** The result of {@link SegmentStore#advance} for one group of segments. */
public sealed interface GroupReply {

  /** A reply for each segment, in the order asked. */
  record Segments(List<SegmentReply> replies) implements GroupReply {}

  /** The generation does not exist. */
  record Gone() implements GroupReply {}

  /** The generation has another version: read the filter again. */
  record Changed() implements GroupReply {}

  /** The key of its state holds another type. */
  record WrongType() implements GroupReply {}
}
