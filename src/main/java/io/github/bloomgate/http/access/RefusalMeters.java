package io.github.bloomgate.http.access;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts requests refused because of their sender. */
@Singleton
class RefusalMeters {

  enum Reason {
    /** The client is not local, or a page of another site. */
    CLIENT,
    /** No known key. */
    KEY,
    /** A key without the role. */
    ROLE,
    /** A key that is limited to other names. */
    NAME
  }

  private final Map<Reason, Counter> counters = new EnumMap<>(Reason.class);

  RefusalMeters(MeterRegistry meters) {
    for (var reason : Reason.values()) {
      counters.put(
          reason,
          Counter.builder("bloom.refusals")
              .description("Number of requests refused because of their sender, by reason.")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(meters));
    }
  }

  void count(Reason reason) {
    counters.get(reason).increment();
  }
}
