package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.source.LastRun;
import java.time.Duration;
import java.time.Instant;

/** The result of the last run of a source. */
public record LastRunView(
    String result,
    Instant startedAt,
    Instant finishedAt,
    double durationSeconds,
    long elements,
    @JsonInclude(JsonInclude.Include.NON_NULL) Failure error) {

  /** Why a run failed. */
  public record Failure(String code, String detail) {}

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
