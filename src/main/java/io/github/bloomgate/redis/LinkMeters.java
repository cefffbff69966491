package io.github.bloomgate.redis;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Metrics of the link, shared by the links to several nodes. Thread-safe. */
final class LinkMeters {
  private final Counter reconnects;
  private final Counter timeouts;
  private final Counter failures;
  private final Counter retries;

  /** Whether each link is connected, unless it never was. */
  private final Map<Object, Boolean> links = new ConcurrentHashMap<>();

  LinkMeters(MeterRegistry registry) {
    reconnects =
        Counter.builder("bloom.redis.reconnects")
            .description("Number of connections to Redis after the first.")
            .register(registry);
    timeouts =
        Counter.builder("bloom.redis.timeouts")
            .description("Number of requests to Redis that timed out.")
            .register(registry);
    failures =
        Counter.builder("bloom.redis.connect.failures")
            .description("Number of failed attempts to connect to Redis.")
            .register(registry);
    retries =
        Counter.builder("bloom.retries")
            .description("Number of retried calls and operations.")
            .tag("reason", "connection")
            .register(registry);
    Gauge.builder(
            "bloom.redis.connected",
            links,
            its -> !its.isEmpty() && !its.containsValue(false) ? 1 : 0)
        .description("1 while connected to Redis, or to each used node of a cluster; else 0.")
        .register(registry);
  }

  void connected(Object link) {
    if (links.put(link, true) != null) {
      reconnects.increment();
    }
  }

  void disconnected(Object link) {
    links.put(link, false);
  }

  /** Removes a link that is closed on purpose. */
  void leave(Object link) {
    links.remove(link);
  }

  void connectFailed() {
    failures.increment();
  }

  void retried() {
    retries.increment();
  }

  void timedOut() {
    timeouts.increment();
  }
}
