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

  /** Another run has the claim until then, unless it renews it. */
  record Running(Instant until) implements ClaimReply {}

  /** The source is due then; empty for never. */
  record NotDue(Optional<Instant> at) implements ClaimReply {}
}
