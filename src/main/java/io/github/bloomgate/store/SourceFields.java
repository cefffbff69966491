package io.github.bloomgate.store;

import static io.github.bloomgate.store.FilterState.required;

import io.github.bloomgate.model.error.BloomException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The hash of a filter's source, to and from fields. */
final class SourceFields {

  private SourceFields() {}

  /** The fields that define a source, name and value in turn; the same ones for every source. */
  static List<String> of(Source source) {
    var fields = new ArrayList<String>();
    var origin = source.origin();
    if (origin instanceof Origin.RedisKey redis) {
      add(fields, "kind", "redis", "location", redis.key(), "format", "", "encoding", "");
    } else if (origin instanceof Origin.Url url) {
      addLines(fields, "url", url.url(), url.format(), url.encoding());
    } else if (origin instanceof Origin.File file) {
      addLines(fields, "file", file.path(), file.format(), file.encoding());
    }
    var schedule = source.schedule();
    var cron = schedule instanceof CronSchedule given ? given : null;
    add(fields, "cron", cron == null ? "" : cron.expression());
    add(fields, "timeZone", cron == null ? "" : cron.timeZone());
    add(
        fields,
        "everySeconds",
        schedule instanceof Schedule.Every every
            ? Long.toString(every.interval().toSeconds())
            : "");
    add(fields, "allowEmpty", source.allowEmpty() ? "1" : "0");
    add(fields, "minElements", Long.toString(source.minElements()));
    add(fields, "minShareOfLastRun", Double.toString(source.minShareOfLastRun()));
    return fields;
  }

  private static void addLines(
      List<String> fields,
      String kind,
      String location,
      LineFormat format,
      ElementEncoding encoding) {
    add(fields, "kind", kind, "location", location);
    add(fields, "format", format.name(), "encoding", encoding.name());
  }

  /** The fields of how a run ended, name and value in turn. */
  static List<String> of(LastRun run) {
    var fields = new ArrayList<String>();
    add(fields, "lastStartedAt", Long.toString(run.startedAt().toEpochMilli()));
    add(fields, "lastFinishedAt", Long.toString(run.finishedAt().toEpochMilli()));
    add(fields, "lastElements", Long.toString(run.elements()));
    add(fields, "lastCode", run.failure().map(LastRun.Failure::code).orElse(""));
    add(fields, "lastDetail", run.failure().map(LastRun.Failure::detail).orElse(""));
    if (run.failure().isEmpty()) {
      add(fields, "elementsBefore", Long.toString(run.elements()));
    }
    return fields;
  }

  private static void add(List<String> fields, String... namesAndValues) {
    fields.addAll(List.of(namesAndValues));
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
                        Optional.ofNullable(fields.get("rebuild")))),
        moment(fields, "lastStartedAt").map(startedAt -> lastRun(startedAt, fields)),
        fields.containsKey("elementsBefore")
            ? OptionalLong.of(Long.parseLong(fields.get("elementsBefore")))
            : OptionalLong.empty());
  }

  /** Reads a source; empty if there is none, or a field is missing or malformed. */
  static Optional<SourceStatus> readIfWhole(Map<String, String> fields) {
    try {
      return fields.isEmpty() ? Optional.empty() : Optional.of(read(fields));
    } catch (IllegalArgumentException | BloomException malformed) {
      return Optional.empty();
    }
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
    return Optional.ofNullable(fields.get(name)).map(Long::parseLong).map(Instant::ofEpochMilli);
  }
}
