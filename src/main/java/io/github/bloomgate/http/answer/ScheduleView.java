package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.Schedule;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** When a source is read by itself. */
@Schema(name = "Schedule", description = "Either `cron` with `timeZone`, or `everySeconds`")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScheduleView(
    @Schema(description = "The cron expression") String cron,
    @Schema(description = "Its time zone") String timeZone,
    @Schema(description = "Seconds from the beginning of one run to that of the next")
        Long everySeconds) {

  /** Null for a source that is read only when asked to. */
  public static ScheduleView of(Schedule schedule) {
    if (schedule instanceof CronSchedule cron) {
      return new ScheduleView(cron.expression(), cron.timeZone(), null);
    }
    return schedule instanceof Schedule.Every every
        ? new ScheduleView(null, null, every.interval().toSeconds())
        : null;
  }
}
