package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.http.contract.Query;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.time.Instant;

/** The request to commit a rebuild. */
public record CommitRequest(
    boolean allowEmpty,
    @Min(0) @Max(FilterParameters.MAX_EXPECTED_INSERTIONS) Long minElements,
    @Min(1) @Max(ExpiryRequest.MAX_TTL_SECONDS) Long ttlSeconds,
    @JsonDeserialize(using = ExpiryRequest.MomentReader.class) Instant expiresAt)
    implements JsonBody.OptionalBody {

  public static CommitRequest of(Query query) {
    return new CommitRequest(
        query.flag("allowEmpty"),
        query.whole("minElements").orElse(null),
        query.whole("ttlSeconds").orElse(null),
        null);
  }

  /** The least number of elements of the new content. */
  public long atLeast() {
    return Math.max(allowEmpty ? 0 : 1, minElements == null ? 0 : minElements);
  }

  /**
   * The new expiry of the filter.
   *
   * @throws BloomException INVALID_REQUEST if it is given twice or invalid
   */
  public NewExpiry expiry(Clock clock) {
    return ExpiryRequest.atTime(ttlSeconds, expiresAt, clock)
        .map(NewExpiry::at)
        .orElse(NewExpiry.KEEP);
  }
}
