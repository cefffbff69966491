package io.github.bloomgate.model.source;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When a source is read. However many times were missed, it is read once for all of them. */
public sealed interface Schedule permits Schedule.ByHand, Schedule.Every, CronSchedule {

  /** The shortest time between two runs that can be asked for. */
  long MIN_SECONDS = 10;

  /** The longest, a year. */
  long MAX_SECONDS = 31_536_000;

  /**
   * When the source is to be read after a run, or after it was given; empty if not by itself.
   *
   * @param from when the last run began, or the source was given
   * @param now what the result lies after
   */
  Optional<Instant> next(Instant from, Instant now);

  /** Only when asked to. */
  record ByHand() implements Schedule {
    @Override
    public Optional<Instant> next(Instant from, Instant now) {
      return Optional.empty();
    }
  }

  /**
   * In equal distances, counted from the beginning of one run to that of the next. A run that takes
   * longer leaves out those it misses.
   */
  record Every(Duration interval) implements Schedule {

    /**
     * Checks the interval.
     *
     * @throws BloomException INVALID_REQUEST if it is beyond {@link #MIN_SECONDS} or {@link
     *     #MAX_SECONDS}
     */
    public Every {
      if (interval.toSeconds() < MIN_SECONDS || interval.toSeconds() > MAX_SECONDS) {
        throw RequestErrors.invalid(
            "everySeconds must be %d to %d. Send such a number."
                .formatted(MIN_SECONDS, MAX_SECONDS));
      }
    }

    @Override
    public Optional<Instant> next(Instant from, Instant now) {
      var missed = Math.max(0, Duration.between(from, now).dividedBy(interval));
      return Optional.of(from.plus(interval.multipliedBy(missed + 1)));
    }
  }
}
