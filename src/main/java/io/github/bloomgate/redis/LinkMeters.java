package io.github.bloomgate.redis;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What operators see of the link: whether it is up, and how often it was not. Links to several
 * nodes share the figures. Thread-safe.
 */
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
            .description("Number of connections made to Redis after the first.")
            .register(registry);
    timeouts =
        Counter.builder("bloom.redis.timeouts")
            .description("Number of requests to Redis that got no answer in time.")
            .register(registry);
    failures =
        Counter.builder("bloom.redis.connect.failures")
            .description("Number of attempts to connect to Redis that failed.")
            .register(registry);
    retries =
        Counter.builder("bloom.retries")
            .description("Number of calls and operations that were run again.")
            .tag("reason", "connection")
            .register(registry);
    Gauge.builder("bloom.redis.connected", up, ups -> ups.get() > 0 && down.get() == 0 ? 1 : 0)
        .description(
            "1 while there is a connection to Redis, of a cluster to each node that was used, else 0.")
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

  /** Those of a further link. */
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

  /** The link is not wanted any more. */
  void leave() {
    become(State.NEW);
  }

  void connectFailed() {
    failures.increment();
  }

  /** A request that is sent again, since its connection was lost. */
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
