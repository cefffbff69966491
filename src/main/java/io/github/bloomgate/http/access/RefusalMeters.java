package io.github.bloomgate.http.access;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How many requests were refused for who sent them. */
@Singleton
class RefusalMeters {

  /** Why a request was refused. */
  enum Reason {
    /** Its client is not answered: not on this machine, or a page of another site. */
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
              .description("Number of requests refused for who sent them, by the reason.")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(meters));
    }
  }

  void count(Reason reason) {
    counters.get(reason).increment();
  }
}
