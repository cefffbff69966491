package io.github.bloomgate.store;

import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.redis.Arguments;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A run of a source that ends.
 *
 * @param id the run, which must have the claim
 * @param next when the source is read next; empty for only on request
 */
public record EndedRun(String id, LastRun outcome, Optional<Instant> next) {

  /** The fields of a claim, empty without one. */
  private static final List<String> CLAIM =
      List.of("run", "runStartedAt", "leasedUntil", "attempt", "rebuild");

  /** Adds the fields of the source after the run. */
  void put(Arguments arguments) {
    CLAIM.forEach(field -> arguments.add(field).add(""));
    arguments.add("lastRun").add(StoredJson.write(outcome));
    if (outcome.failure().isEmpty()) {
      arguments.add("elementsBefore").add(outcome.elements());
    }
    arguments.add("nextRunAt").add(next);
  }
}
