package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.bloomgate.http.request.SourceRequest;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.SourceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The source of a filter and the state of its runs. */
public record SourceView(
    @JsonUnwrapped SourceRequest source,
    Optional<Instant> nextRunAt,
    Optional<Instant> runningSince,
    Optional<Run> lastRun) {

  public static SourceView of(SourceStatus status) {
    return new SourceView(
        SourceRequest.of(status.source()),
        status.nextRunAt(),
        status.run().map(SourceStatus.Run::startedAt),
        status.lastRun().map(Run::of));
  }

  /** Whether it is being read; otherwise the result of the last run, ok if there was none yet. */
  static String state(SourceStatus status) {
    return status.run().isPresent() ? "running" : status.lastRun().map(Run::result).orElse("ok");
  }

  public record Run(
      String result,
      Instant startedAt,
      Instant finishedAt,
      double durationSeconds,
      long elements,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<LastRun.Failure> error) {

    static Run of(LastRun run) {
      return new Run(
          result(run),
          run.startedAt(),
          run.finishedAt(),
          Duration.between(run.startedAt(), run.finishedAt()).toMillis() / 1000.0,
          run.elements(),
          run.failure());
    }

    private static String result(LastRun run) {
      return run.failure().isEmpty() ? "ok" : "failed";
    }
  }
}
