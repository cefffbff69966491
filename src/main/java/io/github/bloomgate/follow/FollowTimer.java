package io.github.bloomgate.follow;

import io.github.bloomgate.redis.RedisLink;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Sends changes to followers, on the event loop of the link. */
@Singleton
@Startup
class FollowTimer {

  /** Changes wait at most this long for others, to share frames with them. */
  private static final long PAUSE_MILLIS = 50;

  private final Vertx vertx;
  private final long timer;

  FollowTimer(Followers followers, RedisLink link) {
    var loop = link.loop();
    this.vertx = loop.owner();
    this.timer = loop.setPeriodic(PAUSE_MILLIS, ignored -> followers.send());
  }

  /** Before the connection to Redis is closed. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    vertx.cancelTimer(timer);
  }
}
