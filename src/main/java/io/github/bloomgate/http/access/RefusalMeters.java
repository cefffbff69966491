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
          meters.counter("bloom.refusals", "reason", reason.name().toLowerCase(Locale.ROOT)));
    }
  }

  void count(Reason reason) {
    counters.get(reason).increment();
  }
}
