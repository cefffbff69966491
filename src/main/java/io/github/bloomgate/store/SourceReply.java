package io.github.bloomgate.store;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The result of a call of {@link SourceStore} on the source of a filter. */
public sealed interface SourceReply {

  /** The change was made. */
  record Done() implements SourceReply {}

  /**
   * The run has the claim.
   *
   * @param now the time in Redis
   * @param before the previous fields of the source
   */
  record Claimed(Instant now, Map<String, String> before) implements SourceReply {}

  /** Another run has the claim until then, unless it renews it. */
  record Running(Instant until) implements SourceReply {}

  /** The source is due then; empty for never. */
  record NotDue(Optional<Instant> at) implements SourceReply {}

  /** The run has lost the claim. Nothing was changed. */
  record Lost() implements SourceReply {}

  /** There is no filter. */
  record Gone() implements SourceReply {}

  /** The filter has no source. */
  record NoSource() implements SourceReply {}

  /** A key holds another type. */
  record WrongType() implements SourceReply {}
}
