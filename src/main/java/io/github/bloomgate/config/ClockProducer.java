package io.github.bloomgate.config;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.ZoneOffset;

/** The clock, as precise as Redis stores moments. Tests replace it. */
final class ClockProducer {

  @Produces
  @Singleton
  Clock clock() {
    return Clock.tickMillis(ZoneOffset.UTC);
  }
}
