package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.Schedule;

/** The schedule of a source. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScheduleView(String cron, String timeZone, Long everySeconds) {

  /** Null for a source that is read only on request. */
  public static ScheduleView of(Schedule schedule) {
    if (schedule instanceof CronSchedule cron) {
      return new ScheduleView(cron.expression(), cron.timeZone(), null);
    }
    return schedule instanceof Schedule.Every every
        ? new ScheduleView(null, null, every.interval().toSeconds())
        : null;
  }
}
