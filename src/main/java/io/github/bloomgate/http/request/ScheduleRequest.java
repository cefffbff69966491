package io.github.bloomgate.http.request;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.Schedule;
import java.time.Duration;

/** The schedule of a source. */
public record ScheduleRequest(String cron, String timeZone, Long everySeconds) {

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
