package io.github.bloomgate.http.request;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.Schedule;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** When a source shall be read. */
@Schema(
    description = "Either `cron` or `everySeconds`",
    examples = {"{\"cron\": \"0 3 * * *\"}", "{\"everySeconds\": 3600}"})
public record ScheduleRequest(
    @Schema(
            description =
                "Minute, hour, day of month, month and day of week, as in crontab, or `@hourly`,"
                    + " `@daily`, `@weekly`, `@monthly` or `@yearly`. What was missed"
                    + " while no instance ran is made up for by one run",
            examples = "0 3 * * *")
        String cron,
    @Schema(
            description = "The time zone of `cron`, by its IANA name; UTC if not given",
            examples = "Europe/Berlin")
        String timeZone,
    @Schema(
            description =
                "Seconds from the beginning of one run to that of the next, "
                    + Schedule.MIN_SECONDS
                    + " to "
                    + Schedule.MAX_SECONDS,
            examples = "3600")
        Long everySeconds) {

  /**
   * The schedule asked for.
   *
   * @throws BloomException INVALID_REQUEST if none or two are given, or one is malformed
   */
  public Schedule toSchedule() {
    if ((cron == null) == (everySeconds == null) || (timeZone != null && cron == null)) {
      throw RequestErrors.invalid(
          "A schedule has either cron, perhaps with timeZone, or everySeconds. Send one of them; leave"
              + " out the schedule to run by hand only.");
    }
    return cron == null
        ? new Schedule.Every(Duration.ofSeconds(everySeconds))
        : new CronSchedule(cron, timeZone == null ? CronSchedule.UTC : timeZone);
  }
}
