package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How a rebuild shall be committed. */
@Schema(
    description = "All may be left out; without a deadline the filter keeps the one it has.",
    examples = "{\"ttlSeconds\": 86400}")
public record CommitRequest(
    @Schema(
            description = "Whether to commit a rebuild into which nothing was loaded",
            defaultValue = "false")
        Boolean allowEmpty,
    @Schema(
            description =
                "How many elements must have been loaded at least; with fewer the commit is refused"
                    + " with REBUILD_TOO_SMALL, and the rebuild stays open",
            examples = "10000")
        @Min(0)
        @Max(FilterParameters.MAX_EXPECTED_INSERTIONS)
        Long minElements,
    @Schema(description = Deadline.TTL_DESCRIPTION) @Min(1) @Max(Deadline.MAX_TTL_SECONDS)
        Long ttlSeconds,
    @Schema(description = Deadline.AT_DESCRIPTION)
        @JsonDeserialize(using = MomentDeserializer.class)
        Instant expiresAt)
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
