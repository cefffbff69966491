package io.github.bloomgate.http.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.stream.Stream;

/** The source of a filter, as it is set and described. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SourceRequest(
    @Size(min = 1, max = MAX_LENGTH, message = "must have {min} to {max} characters")
        String redisKey,
    @Size(min = 1, max = MAX_LENGTH, message = "must have {min} to {max} characters") String url,
    @Size(min = 1, max = MAX_LENGTH, message = "must have {min} to {max} characters") String file,
    LineFormat format,
    ElementEncoding encoding,
    @JsonInclude @Valid ScheduleRequest schedule,
    boolean allowEmpty,
    @Min(0) @Max(FilterParameters.MAX_EXPECTED_INSERTIONS) Long minElements,
    @DecimalMin("0") @DecimalMax("1") Double minShareOfLastRun) {

  private static final int MAX_LENGTH = 2048;

  /** A list that shrinks more is usually truncated, or not the list but an error. */
  private static final double USUAL_MIN_SHARE = 0.5;

  public static SourceRequest of(Source source) {
    var origin = source.origin();
    var lines = origin instanceof Origin.Lines some ? some : null;
    return new SourceRequest(
        origin instanceof Origin.RedisKey redis ? redis.key() : null,
        origin instanceof Origin.Url url ? url.url() : null,
        origin instanceof Origin.File file ? file.path() : null,
        lines == null ? null : lines.format(),
        lines == null ? null : lines.encoding(),
        ScheduleRequest.of(source.schedule()),
        source.allowEmpty(),
        source.minElements() == 0 ? null : (Long) source.minElements(),
        source.minShareOfLastRun());
  }

  /**
   * The requested source.
   *
   * @throws BloomException INVALID_REQUEST if none or several are given, or a value is malformed
   */
  public Source toSource() {
    return new Source(
        origin(),
        schedule == null ? new Schedule.ByHand() : schedule.toSchedule(),
        allowEmpty,
        minElements == null ? 0 : minElements,
        minShare());
  }

  private double minShare() {
    if (minShareOfLastRun != null) {
      return minShareOfLastRun;
    }
    return allowEmpty ? 0 : USUAL_MIN_SHARE;
  }

  private Origin origin() {
    if (Stream.of(redisKey, url, file).filter(given -> given != null).count() != 1) {
      throw RequestErrors.invalid(
          "A source is one of redisKey, url and file. Send exactly one of them.");
    }
    if (redisKey != null) {
      if (format != null || encoding != null) {
        throw RequestErrors.invalid(
            "A redisKey has neither format nor encoding: its members are the elements. Leave them"
                + " out.");
      }
      return new Origin.RedisKey(redisKey);
    }
    var lines = format == null ? LineFormat.TEXT : format;
    var bytes = encoding == null ? ElementEncoding.UTF_8 : encoding;
    return url != null ? new Origin.Url(url, lines, bytes) : new Origin.File(file, lines, bytes);
  }

  /** The schedule of a source. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ScheduleRequest(String cron, String timeZone, Long everySeconds) {

    /** Null for a source that is read only on request. */
    static ScheduleRequest of(Schedule schedule) {
      if (schedule instanceof CronSchedule cron) {
        return new ScheduleRequest(cron.expression(), cron.timeZone(), null);
      }
      return schedule instanceof Schedule.Every every
          ? new ScheduleRequest(null, null, every.interval().toSeconds())
          : null;
    }

    /**
     * The requested schedule.
     *
     * @throws BloomException INVALID_REQUEST if none or two are given, or one is malformed
     */
    public Schedule toSchedule() {
      if ((cron == null) == (everySeconds == null) || (timeZone != null && cron == null)) {
        throw RequestErrors.invalid(
            "A schedule has either cron, optionally with timeZone, or everySeconds. Send one of them, or leave out the schedule to run only on request.");
      }
      return cron == null
          ? new Schedule.Every(Duration.ofSeconds(everySeconds))
          : new CronSchedule(cron, timeZone == null ? CronSchedule.UTC : timeZone);
    }
  }
}
