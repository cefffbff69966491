package io.github.bloomgate.model.source;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A cron expression of five fields: minute, hour, day of month, month, day of week. As in crontab,
 * if both days are restricted, either may match.
 *
 * <p>A time in the hour that summer time skips is postponed by the length of that hour. In the hour
 * that is repeated, only the first occurrence counts.
 *
 * @param expression the five fields as given, or those of the short form
 * @param timeZone as given
 */
public record CronSchedule(String expression, String timeZone) implements Schedule {

  public static final String UTC = "UTC";

  private static final int MAX_LENGTH = 200;

  /** The short forms of crontab and their expressions. */
  private static final Map<String, String> SHORT_FORMS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  /**
   * Parses an expression or a short form of crontab, such as {@code @daily}.
   *
   * @param timeZone a name of the IANA database, or an offset such as {@code +02:00}
   * @throws BloomException INVALID_REQUEST if one of them is malformed or the expression never
   *     matches
   */
  public CronSchedule {
    expression = SHORT_FORMS.getOrDefault(expression, expression);
    if (next(expression, timeZone, Instant.now()).isEmpty()) {
      throw RequestErrors.invalid(
          "The cron expression names a day that does not exist. Correct it.");
    }
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      throw RequestErrors.invalid(
          "timeZone must be a name of the IANA time zone database, such as Europe/Berlin, or an offset,"
              + " such as +02:00. Send one of them, or none for UTC.");
    }
  }

  private static Cron parse(String expression) {
    if (expression.length() <= MAX_LENGTH) {
      try {
        return new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX))
            .parse(expression)
            .validate();
      } catch (IllegalArgumentException malformed) {
        throw invalid();
      }
    }
    throw invalid();
  }

  private static BloomException invalid() {
    return RequestErrors.invalid(
        "cron must have five valid fields, as in crontab: minute, hour, day of month, month and day of"
            + " week. \"0 3 * * *\" is every day at three. Send such an expression, or one of %s."
                .formatted(String.join(", ", new TreeSet<>(SHORT_FORMS.keySet()))));
  }

  @Override
  public Optional<Instant> next(Instant from, Instant now) {
    return next(expression, timeZone, now);
  }

  private static Optional<Instant> next(String expression, String timeZone, Instant after) {
    var zone = zone(timeZone);
    var times = ExecutionTime.forCron(parse(expression));
    var wall = after.atZone(zone).toLocalDateTime();
    while (true) {
      // In local time without daylight-saving changes.
      var next = times.nextExecution(wall.atZone(ZoneOffset.UTC));
      if (next.isEmpty()) {
        return Optional.empty();
      }
      wall = next.get().toLocalDateTime();
      var moment = wall.atZone(zone).toInstant();
      if (moment.isAfter(after)) {
        return Optional.of(moment);
      }
    }
  }
}
