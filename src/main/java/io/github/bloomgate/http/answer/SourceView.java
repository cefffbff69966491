package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.SourceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The source of a filter and the state of its runs. */
public record SourceView(
    @JsonInclude(JsonInclude.Include.NON_NULL) String redisKey,
    @JsonInclude(JsonInclude.Include.NON_NULL) String url,
    @JsonInclude(JsonInclude.Include.NON_NULL) String file,
    @JsonInclude(JsonInclude.Include.NON_NULL) LineFormat format,
    @JsonInclude(JsonInclude.Include.NON_NULL) ElementEncoding encoding,
    Times schedule,
    boolean allowEmpty,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long minElements,
    @JsonInclude(JsonInclude.Include.NON_NULL) Double minShareOfLastRun,
    Optional<Instant> nextRunAt,
    Optional<Instant> runningSince,
    Optional<Run> lastRun) {

  public static SourceView of(SourceStatus status) {
    var source = status.source();
    var origin = source.origin();
    var lines = origin instanceof Origin.Lines some ? some : null;
    return new SourceView(
        origin instanceof Origin.RedisKey redis ? redis.key() : null,
        origin instanceof Origin.Url url ? url.url() : null,
        origin instanceof Origin.File file ? file.path() : null,
        lines == null ? null : lines.format(),
        lines == null ? null : lines.encoding(),
        Times.of(source.schedule()),
        source.allowEmpty(),
        source.minElements() == 0 ? null : (Long) source.minElements(),
        source.minShareOfLastRun() == 0 ? null : (Double) source.minShareOfLastRun(),
        status.nextRunAt(),
        status.run().map(SourceStatus.Run::startedAt),
        status.lastRun().map(Run::of));
  }

  public record Run(
      String result,
      Instant startedAt,
      Instant finishedAt,
      double durationSeconds,
      long elements,
      @JsonInclude(JsonInclude.Include.NON_NULL) Failure error) {

    public record Failure(String code, String detail) {}

    public static Run of(LastRun run) {
      return new Run(
          run.failure().isEmpty() ? "ok" : "failed",
          run.startedAt(),
          run.finishedAt(),
          Duration.between(run.startedAt(), run.finishedAt()).toMillis() / 1000.0,
          run.elements(),
          run.failure().map(failure -> new Failure(failure.code(), failure.detail())).orElse(null));
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Times(String cron, String timeZone, Long everySeconds) {

    /** Null for a source that is read only on request. */
    public static Times of(Schedule schedule) {
      if (schedule instanceof CronSchedule cron) {
        return new Times(cron.expression(), cron.timeZone(), null);
      }
      return schedule instanceof Schedule.Every every
          ? new Times(null, null, every.interval().toSeconds())
          : null;
    }
  }
}
