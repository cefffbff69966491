package io.github.bloomgate.store;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The result of {@link SourceStore#claim}. */
public sealed interface ClaimReply {

  /**
   * The run has the claim.
   *
   * @param now the time in Redis
   * @param before the previous fields of the source
   */
  record Claimed(Instant now, Map<String, String> before) implements ClaimReply {}

  /**
   * Another run has the claim, or the source is not due.
   *
   * @param until when another call may succeed, unless the other run renews its claim; empty for
   *     never
   */
  record Refused(Optional<Instant> until) implements ClaimReply {}
}
