package io.github.bloomgate.elements;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.redis.RedisLink;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Refreshes the copies of watched filters, on the event loop of the link. */
@Singleton
@Startup
class WatchTimer {

  private final Vertx vertx;
  private final long timer;

  WatchTimer(Watches watches, RedisLink link, BloomgateConfig config) {
    var interval = config.watch().interval();
    var loop = link.loop();
    this.vertx = loop.owner();
    this.timer = loop.setPeriodic(interval.toMillis(), ignored -> watches.refreshAll(interval));
  }

  /** Before the connection to Redis is closed. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    vertx.cancelTimer(timer);
  }
}
