package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.source.LastRun;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How the last run of a source ended. */
@Schema(
    name = "LastRun",
    requiredProperties = {"result", "startedAt", "finishedAt", "durationSeconds", "elements"})
public record LastRunView(
    @Schema(
            description = "`failed` left the content as it was",
            enumeration = {"ok", "failed"})
        String result,
    @Schema(description = "When it began") Instant startedAt,
    @Schema(description = "When it ended") Instant finishedAt,
    @Schema(description = "Seconds between the two") double durationSeconds,
    @Schema(description = "Elements read; one that the source names twice counts twice")
        long elements,
    @Schema(description = "Why it failed; missing if it did not")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Failure error) {

  /** Why a run failed. */
  @Schema(
      name = "RunFailure",
      requiredProperties = {"code", "detail"})
  public record Failure(
      @Schema(description = "An error code") String code,
      @Schema(description = "What went wrong") String detail) {}

  public static LastRunView of(LastRun run) {
    return new LastRunView(
        run.failure().isEmpty() ? "ok" : "failed",
        run.startedAt(),
        run.finishedAt(),
        Duration.between(run.startedAt(), run.finishedAt()).toMillis() / 1000.0,
        run.elements(),
        run.failure().map(failure -> new Failure(failure.code(), failure.detail())).orElse(null));
  }
}
