package io.github.bloomgate.redis;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** Metrics of the link, shared by the links to several nodes. Thread-safe. */
final class LinkMeters {
  private final Counter reconnects;
  private final Counter timeouts;
  private final Counter failures;
  private final Counter retries;
  private final AtomicInteger up;
  private final AtomicInteger down;
  private State state = State.NEW;

  private enum State {
    NEW,
    UP,
    DOWN
  }

  LinkMeters(MeterRegistry registry) {
    up = new AtomicInteger();
    down = new AtomicInteger();
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
    Gauge.builder("bloom.redis.connected", up, ups -> ups.get() > 0 && down.get() == 0 ? 1 : 0)
        .description("1 while connected to Redis, or to each used node of a cluster; else 0.")
        .register(registry);
  }

  private LinkMeters(LinkMeters shared) {
    up = shared.up;
    down = shared.down;
    reconnects = shared.reconnects;
    timeouts = shared.timeouts;
    failures = shared.failures;
    retries = shared.retries;
  }

  LinkMeters another() {
    return new LinkMeters(this);
  }

  void connected(boolean again) {
    become(State.UP);
    if (again) {
      reconnects.increment();
    }
  }

  void disconnected() {
    become(State.DOWN);
  }

  /** Removes a link that is closed on purpose. */
  void leave() {
    become(State.NEW);
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

  private synchronized void become(State next) {
    count(state, -1);
    state = next;
    count(state, 1);
  }

  private void count(State one, int change) {
    switch (one) {
      case UP -> up.addAndGet(change);
      case DOWN -> down.addAndGet(change);
      case NEW -> {}
    }
  }
}
