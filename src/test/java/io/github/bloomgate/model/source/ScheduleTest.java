package io.github.bloomgate.model.source;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When sources are due. */
class ScheduleTest {

  @ParameterizedTest
  @CsvSource({
    "0 3 * * *, UTC, 2026-03-01T02:59:59Z, 2026-03-01T03:00:00Z",
    // The next run is after the given minute.
    "0 3 * * *, UTC, 2026-03-01T03:00:00Z, 2026-03-02T03:00:00Z",
    "0 3 * * *, UTC, 2026-03-01T03:00:00.001Z, 2026-03-02T03:00:00Z",
    "@hourly, UTC, 2026-03-01T10:46:00Z, 2026-03-01T11:00:00Z",
    "@daily, UTC, 2026-03-01T10:46:00Z, 2026-03-02T00:00:00Z",
    "@midnight, Europe/Berlin, 2026-07-10T00:00:00Z, 2026-07-10T22:00:00Z",
    "@weekly, UTC, 2026-03-02T00:00:00Z, 2026-03-08T00:00:00Z",
    "@monthly, UTC, 2026-03-02T00:00:00Z, 2026-04-01T00:00:00Z",
    "@yearly, UTC, 2026-03-02T00:00:00Z, 2027-01-01T00:00:00Z",
    "@annually, UTC, 2026-03-02T00:00:00Z, 2027-01-01T00:00:00Z",
    "*/15 * * * *, UTC, 2026-03-01T10:46:00Z, 2026-03-01T11:00:00Z",
    "5 4 29 2 *, UTC, 2026-03-01T00:00:00Z, 2028-02-29T04:05:00Z",
    "0 0 * * 0, UTC, 2026-03-02T00:00:00Z, 2026-03-08T00:00:00Z",
    "0 0 * * 7, UTC, 2026-03-02T00:00:00Z, 2026-03-08T00:00:00Z",
    "30 6 * * 1-5, UTC, 2026-03-06T06:30:00Z, 2026-03-09T06:30:00Z",
    // With both days restricted, either matches: the 15th, or a Monday.
    "0 0 15 * 1, UTC, 2026-03-10T00:00:00Z, 2026-03-15T00:00:00Z",
    "0 0 15 * 1, UTC, 2026-03-15T00:00:00Z, 2026-03-16T00:00:00Z",
    "0 3 * * *, Europe/Berlin, 2026-01-10T00:00:00Z, 2026-01-10T02:00:00Z",
    "0 3 * * *, Europe/Berlin, 2026-07-10T00:00:00Z, 2026-07-10T01:00:00Z",
    "0 3 * * *, +02:00, 2026-07-10T00:00:00Z, 2026-07-10T01:00:00Z",
    // When summer time ends, only the first occurrence in the repeated hour counts.
    "30 2 * * *, Europe/Berlin, 2026-10-25T00:00:00Z, 2026-10-25T00:30:00Z",
    "30 2 * * *, Europe/Berlin, 2026-10-25T00:30:00Z, 2026-10-26T01:30:00Z",
    "30 2 * * *, Europe/Berlin, 2026-10-25T00:31:00Z, 2026-10-26T01:30:00Z",
    "30 2 * * *, Europe/Berlin, 2026-10-25T01:10:00Z, 2026-10-26T01:30:00Z",
    "* * * * *, Europe/Berlin, 2026-10-25T01:10:00Z, 2026-10-25T02:00:00Z",
    // When summer time begins, a run in the skipped hour starts late.
    "30 2 * * *, Europe/Berlin, 2026-03-28T12:00:00Z, 2026-03-29T01:30:00Z",
    "30 2 * * *, Europe/Berlin, 2026-03-29T01:30:00Z, 2026-03-30T00:30:00Z",
    "*/30 * * * *, Europe/Berlin, 2026-03-29T01:00:00Z, 2026-03-29T01:30:00Z"
  })
  void cronNamesTheNextMinute(String cron, String zone, Instant now, Instant expected) {
    assertEquals(Optional.of(expected), new CronSchedule(cron, zone).next(Instant.EPOCH, now));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "@reboot",
        "@Daily",
        "@daily *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "5-1-2 * * * *",
        "every day",
        "0 0 30 2 *",
        "0 0 31 4 *"
      })
  void malformedAndNeverMatchingCronIsRefused(String cron) {
    assertRefused(() -> new CronSchedule(cron, "UTC"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Mars/Olympus", "Europe/Berlin2", "+99:00"})
  void anUnknownTimeZoneIsRefused(String zone) {
    assertRefused(() -> new CronSchedule("0 3 * * *", zone));
  }

  @ParameterizedTest
  @CsvSource({
    // Right after the source was set or a run began.
    "0, 0, 60",
    "0, 59, 60",
    // If a run takes as long as the interval or longer, the missed runs are skipped.
    "0, 60, 120",
    "0, 61, 120",
    "0, 605, 660",
    // The clock was set back.
    "100, 90, 160"
  })
  void anIntervalStartsWithTheRun(long from, long now, long expected) {
    var every = new Schedule.Every(Duration.ofSeconds(60));
    assertEquals(
        Optional.of(Instant.ofEpochSecond(expected)),
        every.next(Instant.ofEpochSecond(from), Instant.ofEpochSecond(now)));
  }

  @Test
  void anIntervalHasLimits() {
    var refused =
        assertFails(
            ErrorCode.INVALID_REQUEST,
            () -> new Schedule.Every(Duration.ofSeconds(Schedule.MIN_SECONDS - 1)));
    assertTrue(refused.getMessage().contains("everySeconds is 9,"), refused.getMessage());
    assertRefused(() -> new Schedule.Every(Duration.ofSeconds(Schedule.MAX_SECONDS + 1)));
  }

  private static void assertRefused(Executable action) {
    assertFails(ErrorCode.INVALID_REQUEST, action);
  }
}
