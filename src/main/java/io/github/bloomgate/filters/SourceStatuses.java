package io.github.bloomgate.filters;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.SlotKeys;
import io.github.bloomgate.store.SourceStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Reads the sources of filters. */
@Singleton
public class SourceStatuses {

  private final SourceStore store;

  SourceStatuses(SourceStore store) {
    this.store = store;
  }

  /**
   * The source of a filter; calls Redis only if the filter has one. Fails with FILTER_DAMAGED,
   * WRONG_KEY_TYPE.
   */
  public Uni<Optional<SourceStatus>> of(Filter filter) {
    return filter.hasSource()
        ? store
            .find(filter.name())
            .map(
                fields ->
                    fields.isEmpty() ? Optional.empty() : Optional.of(read(filter.name(), fields)))
        : Uni.createFrom().item(Optional.empty());
  }

  /** The source of a filter; empty if its key is damaged, which does not affect the filter. */
  Uni<Optional<SourceStatus>> ifWhole(Filter filter) {
    return of(filter).onFailure(SourceStatuses::isDamage).recoverWithItem(Optional.empty());
  }

  private static boolean isDamage(Throwable failure) {
    return ErrorCode.WRONG_KEY_TYPE.isOf(failure) || ErrorCode.FILTER_DAMAGED.isOf(failure);
  }

  /** Reads the fields of a source; fails with FILTER_DAMAGED. */
  public static SourceStatus read(FilterName name, Map<String, String> fields) {
    try {
      return parse(fields);
    } catch (JsonProcessingException | IllegalArgumentException malformed) {
      throw FilterErrors.damaged(name, SlotKeys.source(name));
    }
  }

  /**
   * The source and the result of its last run are JSON; the script that claims runs needs the other
   * fields.
   */
  private static SourceStatus parse(Map<String, String> fields) throws JsonProcessingException {
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
