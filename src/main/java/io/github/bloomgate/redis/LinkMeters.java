package io.github.bloomgate.redis;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What operators see of the link: whether it is up, and how often it was not. Thread-safe. */
final class LinkMeters {
  private final Counter reconnects;
  private final Counter timeouts;
  private volatile boolean connected;

  LinkMeters(MeterRegistry registry) {
    reconnects =
        Counter.builder("bloom.redis.reconnects")
            .description("Connections made to Redis after the first")
            .register(registry);
    timeouts =
        Counter.builder("bloom.redis.timeouts")
            .description("Requests to Redis that got no answer in time")
            .register(registry);
    Gauge.builder("bloom.redis.connected", this, meters -> meters.connected ? 1 : 0)
        .description("Whether there is a connection to Redis")
        .register(registry);
  }

  void connected(boolean again) {
    connected = true;
    if (again) {
      reconnects.increment();
    }
  }

  void disconnected() {
    connected = false;
  }

  void timedOut() {
    timeouts.increment();
  }
}
