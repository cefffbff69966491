package io.github.bloomgate.filters;

import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts sources to and from the fields of a Redis hash. */
public final class SourceFields {

  private SourceFields() {}

  /** The fields that define a source; the same names for every source. */
  public static Map<String, String> of(Source source) {
    var fields = new HashMap<String, String>();
    var origin = source.origin();
    if (origin instanceof Origin.RedisKey redis) {
      addOrigin(fields, "redis", redis.key(), "", "");
    } else if (origin instanceof Origin.Url url) {
      addOrigin(fields, "url", url.url(), url.format().name(), url.encoding().name());
    } else if (origin instanceof Origin.File file) {
      addOrigin(fields, "file", file.path(), file.format().name(), file.encoding().name());
    }
    var schedule = source.schedule();
    var cron = schedule instanceof CronSchedule given ? given : null;
    fields.put("cron", cron == null ? "" : cron.expression());
    fields.put("timeZone", cron == null ? "" : cron.timeZone());
    fields.put(
        "everySeconds",
        schedule instanceof Schedule.Every every
            ? Long.toString(every.interval().toSeconds())
            : "");
    fields.put("allowEmpty", source.allowEmpty() ? "1" : "0");
    fields.put("minElements", Long.toString(source.minElements()));
    fields.put("minShareOfLastRun", Double.toString(source.minShareOfLastRun()));
    return fields;
  }

  private static void addOrigin(
      Map<String, String> fields, String kind, String location, String format, String encoding) {
    fields.put("kind", kind);
    fields.put("location", location);
    fields.put("format", format);
    fields.put("encoding", encoding);
  }

  /** The fields of the result of a run. */
  public static Map<String, String> of(LastRun run) {
    var fields = new HashMap<String, String>();
    fields.put("lastStartedAt", Long.toString(run.startedAt().toEpochMilli()));
    fields.put("lastFinishedAt", Long.toString(run.finishedAt().toEpochMilli()));
    fields.put("lastElements", Long.toString(run.elements()));
    fields.put("lastCode", run.failure().map(LastRun.Failure::code).orElse(""));
    fields.put("lastDetail", run.failure().map(LastRun.Failure::detail).orElse(""));
    if (run.failure().isEmpty()) {
      fields.put("elementsBefore", Long.toString(run.elements()));
    }
    return fields;
  }

  /**
   * Reads a source.
   *
   * @throws IllegalArgumentException if a field is missing or malformed
   */
  static SourceStatus read(Map<String, String> fields) {
    return new SourceStatus(
        new Source(
            origin(fields),
            schedule(fields),
            required(fields, "allowEmpty").equals("1"),
            Long.parseLong(fields.getOrDefault("minElements", "0")),
            Double.parseDouble(fields.getOrDefault("minShareOfLastRun", "0"))),
        moment(fields, "nextRunAt"),
        moment(fields, "runStartedAt")
            .map(
                startedAt ->
                    new SourceStatus.Run(
                        startedAt,
                        Integer.parseInt(required(fields, "attempt")),
                        given(fields, "rebuild"))),
        moment(fields, "lastStartedAt").map(startedAt -> lastRun(startedAt, fields)),
        fields.containsKey("elementsBefore")
            ? OptionalLong.of(Long.parseLong(fields.get("elementsBefore")))
            : OptionalLong.empty());
  }

  private static Origin origin(Map<String, String> fields) {
    var location = required(fields, "location");
    return switch (required(fields, "kind")) {
      case "redis" -> new Origin.RedisKey(location);
      case "url" -> new Origin.Url(location, format(fields), encoding(fields));
      case "file" -> new Origin.File(location, format(fields), encoding(fields));
      default -> throw new IllegalArgumentException("kind");
    };
  }

  private static LineFormat format(Map<String, String> fields) {
    return LineFormat.valueOf(required(fields, "format"));
  }

  private static ElementEncoding encoding(Map<String, String> fields) {
    return ElementEncoding.valueOf(required(fields, "encoding"));
  }

  private static Schedule schedule(Map<String, String> fields) {
    var cron = required(fields, "cron");
    var everySeconds = required(fields, "everySeconds");
    if (!cron.isEmpty()) {
      return new CronSchedule(cron, required(fields, "timeZone"));
    }
    return everySeconds.isEmpty()
        ? new Schedule.ByHand()
        : new Schedule.Every(Duration.ofSeconds(Long.parseLong(everySeconds)));
  }

  private static LastRun lastRun(Instant startedAt, Map<String, String> fields) {
    var code = required(fields, "lastCode");
    return new LastRun(
        startedAt,
        moment(fields, "lastFinishedAt").orElse(startedAt),
        Long.parseLong(required(fields, "lastElements")),
        code.isEmpty()
            ? Optional.empty()
            : Optional.of(new LastRun.Failure(code, required(fields, "lastDetail"))));
  }

  private static Optional<Instant> moment(Map<String, String> fields, String name) {
    return given(fields, name).map(Long::parseLong).map(Instant::ofEpochMilli);
  }

  /** A field that may be empty. */
  private static Optional<String> given(Map<String, String> fields, String name) {
    return Optional.ofNullable(fields.get(name)).filter(value -> !value.isEmpty());
  }

  private static String required(Map<String, String> fields, String name) {
    var value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name);
    }
    return value;
  }
}
