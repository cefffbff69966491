package io.github.bloomgate.model.source;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a source is read. One run makes up for all missed times. In JSON, its fields identify its
 * kind.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({
  @JsonSubTypes.Type(Schedule.ByHand.class),
  @JsonSubTypes.Type(Schedule.Every.class),
  @JsonSubTypes.Type(CronSchedule.class)
})
public sealed interface Schedule permits Schedule.ByHand, Schedule.Every, CronSchedule {

  /** The shortest interval. */
  long MIN_SECONDS = 10;

  /** The longest interval, a year. */
  long MAX_SECONDS = 31_536_000;

  /**
   * The next time the source is read; empty if only on request.
   *
   * @param from when the last run began, or the source was set; not after {@code now}
   * @param now the result is later than this
   */
  Optional<Instant> next(Instant from, Instant now);

  /** Only on request. */
  record ByHand() implements Schedule {
    @Override
    public Optional<Instant> next(Instant from, Instant now) {
      return Optional.empty();
    }
  }

  /**
   * At equal intervals between the starts of runs. A run that takes longer skips the times it
   * misses.
   */
  record Every(Duration interval) implements Schedule {

    /**
     * Validates the interval.
     *
     * @throws BloomException INVALID_REQUEST if it is not between {@link #MIN_SECONDS} and {@link
     *     #MAX_SECONDS}
     */
    public Every {
      if (interval.toSeconds() < MIN_SECONDS || interval.toSeconds() > MAX_SECONDS) {
        throw RequestErrors.invalid(
            "everySeconds is %d, but must be %d to %d. Send such a number."
                .formatted(interval.toSeconds(), MIN_SECONDS, MAX_SECONDS));
      }
    }

    @Override
    public Optional<Instant> next(Instant from, Instant now) {
      var missed = Math.max(0, Duration.between(from, now).dividedBy(interval));
      return Optional.of(from.plus(interval.multipliedBy(missed + 1)));
    }
  }
}
