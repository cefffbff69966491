package io.github.bloomgate.filters;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Converts sources to and from the fields of a Redis hash. The source and the result of its last
 * run are JSON; the script that claims runs needs the other fields.
 */
public final class SourceFields {

  private SourceFields() {}

  /** The definition of a source. The same source always gives the same text. */
  public static String of(Source source) {
    return StoredJson.write(source);
  }

  /** The fields of the result of a run. */
  public static Map<String, String> of(LastRun run) {
    var fields = new HashMap<>(Map.of("lastRun", StoredJson.write(run)));
    if (run.failure().isEmpty()) {
      fields.put("elementsBefore", Long.toString(run.elements()));
    }
    return fields;
  }

  /**
   * Reads a source.
   *
   * @throws JsonProcessingException if the source or its last run is missing or malformed
   * @throws IllegalArgumentException if another field is
   */
  static SourceStatus read(Map<String, String> fields) throws JsonProcessingException {
    var lastRun = given(fields, "lastRun");
    return new SourceStatus(
        StoredJson.MAPPER.readValue(fields.getOrDefault("source", ""), Source.class),
        moment(fields, "nextRunAt"),
        moment(fields, "runStartedAt")
            .map(
                startedAt ->
                    new SourceStatus.Run(
                        startedAt,
                        Integer.parseInt(fields.get("attempt")),
                        given(fields, "rebuild"))),
        lastRun.isPresent()
            ? Optional.of(StoredJson.MAPPER.readValue(lastRun.get(), LastRun.class))
            : Optional.empty(),
        given(fields, "elementsBefore").stream().mapToLong(Long::parseLong).findFirst());
  }

  private static Optional<Instant> moment(Map<String, String> fields, String name) {
    return given(fields, name).map(Long::parseLong).map(Instant::ofEpochMilli);
  }

  /** A field that may be missing or empty. */
  private static Optional<String> given(Map<String, String> fields, String name) {
    return Optional.ofNullable(fields.get(name)).filter(value -> !value.isEmpty());
  }
}
