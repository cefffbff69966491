package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.time.Instant;

/** How a rebuild shall be committed. */
public record CommitRequest(
    Boolean allowEmpty,
    @Min(0) @Max(FilterParameters.MAX_EXPECTED_INSERTIONS) Long minElements,
    @Min(1) @Max(Deadline.MAX_TTL_SECONDS) Long ttlSeconds,
    @JsonDeserialize(using = MomentDeserializer.class) Instant expiresAt)
    implements OptionalBody {

  /** For a request without a body. */
  public static final CommitRequest PLAIN = new CommitRequest(null, null, null, null);

  /** How many elements the new content must have at least. */
  public long atLeast() {
    return Math.max(Boolean.TRUE.equals(allowEmpty) ? 0 : 1, minElements == null ? 0 : minElements);
  }

  /**
   * What becomes of the filter's deadline.
   *
   * @throws BloomException INVALID_REQUEST if it is given twice, or the moment is not acceptable
   */
  public NewDeadline deadline(Clock clock) {
    return Deadline.of(ttlSeconds, expiresAt, clock).map(NewDeadline::at).orElse(NewDeadline.KEEP);
  }
}
